import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { batchRecordPath, outcomePagesDir, publishedRecordsDir } from '../../src/corpus-layout.js';
import { safeName } from '../../src/safe-name.js';
import { temporarySuffix } from '../store/atomic-file.js';
import { sha256Of } from '../store/digest.js';
import { episodeDirsOf, readEpisodeRecord } from './read-corpus.js';

/**
 * Whether a batch has left anything in a corpus, and the names of those that have: of their records, of what they have
 * published and counted, and in the episodes themselves.
 */
export async function findBatch(
  corpusDir: string,
  batchId: string,
): Promise<{ readonly isThere: boolean; readonly known: readonly string[] }> {
  const known = new Set(await batchNamesIn(corpusDir));
  if (known.has(safeName(batchId, sha256Of))) return { isThere: true, known: [...known] };
  for (const episode of await episodeDirsOf(corpusDir)) {
    const record = await readEpisodeRecord(path.join(corpusDir, episode));
    if (record?.batchId === batchId) return { isThere: true, known: [...known] };
    if (record !== undefined) known.add(record.batchId);
  }
  return { isThere: false, known: [...known].sort() };
}

/** Their ids, as file names. */
async function batchNamesIn(corpusDir: string): Promise<string[]> {
  const directories = [batchRecordPath, outcomePagesDir, publishedRecordsDir].map((place) => path.dirname(place('x')));
  const names = await Promise.all(
    directories.map((directory) => readdir(path.join(corpusDir, directory)).catch(() => [])),
  );
  return names.flat().flatMap((name) => (name.endsWith(temporarySuffix) ? [] : [name.replace(/\.json$/, '')]));
}
