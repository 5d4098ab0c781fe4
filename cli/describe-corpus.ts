import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { accountedEpisodes, type BatchReport } from './batch-outcome.js';
import { count } from './output.js';

const linesShown = 4;
const lineLength = 100;

/** Of a published transcript only what a reader sees. */
const spokenSchema = z.object({
  segments: z.array(z.object({ startTime: z.number(), speaker: z.string().optional(), body: z.string() })),
});

/** What the batch's episodes left in the corpus, and how one of them begins. */
export async function describeCorpus(corpusDir: string, report: BatchReport): Promise<string[]> {
  const done = accountedEpisodes(report)
    .filter((episode) => episode.state === 'done')
    // In the account they stand as they ended, which is another order each time.
    .sort((a, b) => (a.episodeId < b.episodeId ? -1 : 1));
  const lines: string[] = [];
  for (const { feedId, episodeId, title } of done) {
    const directory = path.join(corpusDir, feedId, episodeId);
    const { files, bytes } = await sizeOf(directory);
    lines.push(`  ${feedId}/${episodeId}: ${count(files, 'file')}, ${Math.ceil(bytes / 1024)} KB (${title})`);
  }
  const [first] = done;
  if (first === undefined) return lines;
  const transcript = path.join(corpusDir, first.feedId, first.episodeId, 'transcript.json');
  return [...lines, '', `From ${path.relative(corpusDir, transcript)}:`, ...(await firstWords(transcript))];
}

async function sizeOf(directory: string): Promise<{ files: number; bytes: number }> {
  const names = await readdir(directory).catch(() => []);
  const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(directory, name))).size));
  return { files: names.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

async function firstWords(file: string): Promise<string[]> {
  const parsed = spokenSchema.safeParse(JSON.parse(await readFile(file, 'utf8')));
  if (!parsed.success) return [];
  return parsed.data.segments.slice(0, linesShown).map(({ startTime, speaker, body }) => {
    const text = body.trim();
    const shown = text.length > lineLength ? `${text.slice(0, lineLength - 3)}...` : text;
    return `  ${startTime.toFixed(1).padStart(6)} s  ${speaker === undefined ? '' : `${speaker}: `}${shown}`;
  });
}
