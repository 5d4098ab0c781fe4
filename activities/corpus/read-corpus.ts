import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { batchesDir, episodeFileName } from '../../src/corpus-layout.js';
import type { EpisodeRecord } from '../../src/episode-record.js';
import { episodeRecordSchema } from '../../src/episode-record.js';

/** Directories of published episodes, as `<feed>/<episode>`, sorted; empty where there is no corpus. */
export async function episodeDirsOf(corpusDir: string): Promise<string[]> {
  const found: string[] = [];
  for (const feed of await directoriesIn(corpusDir)) {
    if (feed === batchesDir || feed.startsWith('.')) continue;
    for (const episode of await directoriesIn(path.join(corpusDir, feed))) found.push(`${feed}/${episode}`);
  }
  return found;
}

/** Reads and parses a directory's `episode.json`; undefined when it is missing or damaged. */
export async function readEpisodeRecord(directory: string): Promise<EpisodeRecord | undefined> {
  return readRecordFile(path.join(directory, episodeFileName));
}

/** Reads and parses a record, wherever it is; undefined when it is missing or damaged. */
export async function readRecordFile(file: string): Promise<EpisodeRecord | undefined> {
  try {
    const parsed = episodeRecordSchema.safeParse(JSON.parse(await readFile(file, 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

async function directoriesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}
