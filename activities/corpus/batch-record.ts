import { open, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { BatchCounts, BatchRecord, EpisodeReport } from '../../src/batch.js';
import { batchRecordSchema, episodeReportSchema } from '../../src/batch.js';
import type { EpisodeRef } from '../../src/episode.js';
import { batchRecordPath, outcomePagesDir } from '../../src/corpus-layout.js';
import { safeName } from '../../src/safe-name.js';
import { temporarySuffix, writeAtomically, writeFileAtomically } from '../store/atomic-file.js';
import { sha256Of } from '../store/digest.js';
import { asStoreError, StoreError, systemCode } from '../store/store-error.js';

const outcomePageSchema = z.array(episodeReportSchema);

/** A stretch of a batch's outcomes; `page` counts up, and the same page written twice is written once. */
export interface OutcomePage {
  readonly batchId: string;
  readonly page: number;
  readonly episodes: readonly EpisodeReport[];
}

/** The batch's record without what the outcome pages say. */
export type BatchSummary = Omit<BatchRecord, 'episodes' | 'done' | 'failed' | 'skipped' | 'remaining'>;

/**
 * Keeps a page of outcomes until the record is made of them, so that neither the workflow nor any activity ever holds
 * 100,000 reports. Safe to repeat.
 *
 * @throws StoreError
 */
export async function saveOutcomePage(corpusDir: string, { batchId, page, episodes }: OutcomePage): Promise<void> {
  const name = `${String(page).padStart(6, '0')}.json`;
  await writeFileAtomically(path.join(pagesDir(corpusDir, batchId), name), JSON.stringify(episodes));
}

/**
 * Writes `<corpus>/batches/<batchId>.json` from the outcome pages, one page in memory at a time. The counts are those
 * of the reports, so they always add up; an episode that several pages tell of counts as the last of them says, and
 * those of `requested` (the manifest's, `manifestEpisodes`) that no page tells of are listed as `remaining`. Safe to repeat.
 *
 * @throws StoreError when it cannot be written, or the pages tell of more episodes than were requested
 */
export async function writeBatchRecord(
  corpusDir: string,
  summary: BatchSummary,
  requested?: AsyncIterable<EpisodeRef>,
): Promise<BatchCounts> {
  const lastPage = await lastPageOfEachEpisode(corpusDir, summary.batchId);
  const counts = countsOf(summary, [...lastPage.values()]);
  await writeAtomically(batchRecordFile(corpusDir, summary.batchId), async (temporary) => {
    const handle = await open(temporary, 'wx');
    try {
      const head = JSON.stringify({ ...summary, ...counts }, null, 2);
      await handle.writeFile(`${head.slice(0, -2)},\n  "episodes": [`);
      let separator = '\n';
      for await (const episodes of reportsInOrder(corpusDir, summary.batchId, { lastPage, requested })) {
        await handle.writeFile(separator + episodes.map((episode) => `    ${JSON.stringify(episode)}`).join(',\n'));
        separator = ',\n';
      }
      await handle.writeFile('\n  ]\n}\n');
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
  return counts;
}

/** Reports in stretches, none of them empty: those that ended, then those that did not. */
async function* reportsInOrder(
  corpusDir: string,
  batchId: string,
  known: {
    readonly lastPage: ReadonlyMap<string, LastWord>;
    readonly requested?: AsyncIterable<EpisodeRef> | undefined;
  },
): AsyncGenerator<readonly EpisodeReport[]> {
  for await (const { page, episodes } of outcomePages(corpusDir, batchId)) {
    const current = episodes.filter((episode) => known.lastPage.get(keyOf(episode))?.page === page);
    if (current.length > 0) yield current;
  }
  for await (const { episodeId, feedId, title } of known.requested ?? []) {
    if (known.lastPage.has(keyOf({ episodeId, feedId }))) continue;
    yield [{ episodeId, feedId, title, state: 'remaining', stages: [] }];
  }
}

/** A batch that is run again under its id accounts anew. @throws StoreError */
export async function removeOutcomePages(corpusDir: string, batchId: string): Promise<void> {
  const directory = pagesDir(corpusDir, batchId);
  try {
    await rm(directory, { recursive: true, force: true });
  } catch (error) {
    throw asStoreError(error, directory);
  }
}

/** The record of a batch, or undefined where there is none. @throws StoreError when it is damaged */
export async function readBatchRecord(corpusDir: string, batchId: string): Promise<BatchRecord | undefined> {
  return readParsed(batchRecordFile(corpusDir, batchId), batchRecordSchema);
}

/** The outcome pages of a batch, in order. @throws StoreError when one is damaged */
export async function* outcomePages(corpusDir: string, batchId: string): AsyncGenerator<OutcomePage> {
  const directory = pagesDir(corpusDir, batchId);
  const names = await readdir(directory).catch(() => []);
  for (const name of names.filter((entry) => !entry.endsWith(temporarySuffix)).sort()) {
    const episodes = await readParsed(path.join(directory, name), outcomePageSchema);
    if (episodes !== undefined) yield { batchId, page: Number.parseInt(name, 10), episodes };
  }
}

interface LastWord {
  readonly page: number;
  readonly state: EpisodeReport['state'];
}

async function lastPageOfEachEpisode(corpusDir: string, batchId: string): Promise<Map<string, LastWord>> {
  const last = new Map<string, LastWord>();
  for await (const { page, episodes } of outcomePages(corpusDir, batchId)) {
    for (const episode of episodes) last.set(keyOf(episode), { page, state: episode.state });
  }
  return last;
}

function countsOf(summary: BatchSummary, outcomes: readonly LastWord[]): BatchCounts {
  const count = (state: EpisodeReport['state']): number => outcomes.filter((one) => one.state === state).length;
  const [done, failed, skipped] = [count('done'), count('failed'), count('skipped')];
  const remaining = summary.requested - done - failed - skipped;
  if (remaining < 0) {
    const message = `Batch ${summary.batchId} requested ${summary.requested} episodes, but ${outcomes.length} have ended.`;
    throw new StoreError(message, 'DAMAGED');
  }
  return { requested: summary.requested, done, failed, skipped, remaining };
}

function keyOf(episode: Pick<EpisodeReport, 'feedId' | 'episodeId'>): string {
  return `${episode.feedId}/${episode.episodeId}`;
}

function pagesDir(corpusDir: string, batchId: string): string {
  return path.join(corpusDir, outcomePagesDir(safeName(batchId, sha256Of)));
}

/** Where a batch's record is. */
export function batchRecordFile(corpusDir: string, batchId: string): string {
  return path.join(corpusDir, batchRecordPath(safeName(batchId, sha256Of)));
}

async function readParsed<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    if (systemCode(error) !== undefined) throw asStoreError(error, file, 'read');
  }
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new StoreError(`${file} is damaged: it does not read as it was written.`, 'DAMAGED');
}
