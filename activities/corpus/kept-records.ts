import path from 'node:path';
import { episodeDir, publishedRecordsDir } from '../../src/corpus-layout.js';
import type { EpisodeRecord } from '../../src/episode-record.js';
import { safeName } from '../../src/safe-name.js';
import { writeFileAtomically } from '../store/atomic-file.js';
import { sha256Of } from '../store/digest.js';
import { readRecordFile } from './read-corpus.js';

/**
 * Keeps the record with which a batch has published an episode: when another batch takes its place in the readable
 * folder, this is what tells it from a result that was lost. Safe to repeat.
 *
 * @throws StoreError
 */
export async function keepRecord(corpusDir: string, record: EpisodeRecord): Promise<void> {
  const file = keptFile(corpusDir, record.batchId, episodeDir(record));
  await writeFileAtomically(file, JSON.stringify(record));
}

/** The record with which a batch published `<feed>/<episode>`; undefined where it never did, or it is damaged. */
export async function keptRecord(
  corpusDir: string,
  batchId: string,
  episode: string,
): Promise<EpisodeRecord | undefined> {
  return readRecordFile(keptFile(corpusDir, batchId, episode));
}

function keptFile(corpusDir: string, batchId: string, episode: string): string {
  return path.join(corpusDir, publishedRecordsDir(safeName(batchId, sha256Of)), `${episode}.json`);
}
