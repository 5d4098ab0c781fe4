import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BatchSummary } from '../../../activities/corpus/batch-record.js';
import { readBatchRecord, saveOutcomePage, writeBatchRecord } from '../../../activities/corpus/batch-record.js';
import type { BatchCounts, EpisodeReport } from '../../../src/batch.js';
import type { EpisodeRef } from '../../../src/episode.js';
import { useTemporaryDirectory } from '../../support/temporary-directory.js';

const batchId = 'Night run/1';

function report(episodeId: string, state: EpisodeReport['state']): EpisodeReport {
  return { episodeId, feedId: 'f', title: 'T', state, stages: [] };
}

async function* refs(ids: readonly string[]): AsyncGenerator<EpisodeRef> {
  await Promise.resolve();
  const document = { uri: 'x', sha256: 'x', bytes: 1 };
  for (const episodeId of ids) yield { episodeId, feedId: 'f', title: 'T', document };
}

describe('writeBatchRecord', () => {
  const corpus = useTemporaryDirectory();
  const write = (ids: readonly string[], changes: Partial<BatchSummary> = {}): Promise<BatchCounts> => {
    const summary: BatchSummary = {
      batchId,
      state: 'completed',
      profile: 'local',
      corpusDir: corpus(),
      startedAt: '2026-01-01T00:00:00.000Z',
      findings: [],
      requested: ids.length,
      ...changes,
    };
    return writeBatchRecord(corpus(), summary, refs(ids));
  };

  it('accounts for every requested episode by id, in counts that add up', async () => {
    await saveOutcomePage(corpus(), { batchId, page: 0, episodes: [report('a', 'done'), report('b', 'failed')] });
    await saveOutcomePage(corpus(), { batchId, page: 1, episodes: [report('c', 'skipped')] });

    const counts = await write(['a', 'b', 'c', 'd', 'e']);

    expect(counts).toEqual({ requested: 5, done: 1, failed: 1, skipped: 1, remaining: 2 });
    const record = await readBatchRecord(corpus(), batchId);
    expect(record).toMatchObject({ ...counts, batchId, profile: 'local', state: 'completed' });
    expect(record?.episodes.map(({ episodeId, state }) => [episodeId, state])).toEqual([
      ['a', 'done'],
      ['b', 'failed'],
      ['c', 'skipped'],
      ['d', 'remaining'],
      ['e', 'remaining'],
    ]);
  });

  it('counts a page once however often it was saved, and an episode as its last page says', async () => {
    for (const page of [0, 0, 1]) {
      const state = page === 0 ? 'failed' : 'done';
      await saveOutcomePage(corpus(), { batchId, page, episodes: [report('a', state)] });
    }

    await write(['a']);
    const again = await write(['a']);

    expect(again).toEqual({ requested: 1, done: 1, failed: 0, skipped: 0, remaining: 0 });
    expect((await readBatchRecord(corpus(), batchId))?.episodes).toEqual([report('a', 'done')]);
  });

  it('writes a record of a batch that started nothing', async () => {
    expect(await write(['a'], { state: 'aborted' })).toMatchObject({ requested: 1, remaining: 1 });
  });

  it('takes 20,000 episodes', async () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => `e${index}`);
    for (let page = 0; page < 40; page += 1) {
      const episodes = ids.slice(page * 500, page * 500 + 500).map((id) => report(id, 'done'));
      await saveOutcomePage(corpus(), { batchId, page, episodes });
    }

    expect(await write(ids)).toMatchObject({ done: 20_000, remaining: 0 });
    expect((await readBatchRecord(corpus(), batchId))?.episodes.at(-1)?.episodeId).toBe('e19999');
  });

  it('refuses more outcomes than episodes', async () => {
    await saveOutcomePage(corpus(), { batchId, page: 0, episodes: [report('a', 'done'), report('b', 'done')] });

    await expect(write(['a'])).rejects.toMatchObject({ name: 'StoreError', code: 'DAMAGED' });
  });
});

describe('readBatchRecord', () => {
  const corpus = useTemporaryDirectory();

  it('knows nothing of a batch without record, and says when one is damaged', async () => {
    await expect(readBatchRecord(corpus(), 'none')).resolves.toBeUndefined();
    await mkdir(path.join(corpus(), 'batches'));
    await writeFile(path.join(corpus(), 'batches', 'b1.json'), '{"batchId": "b1"}');
    await expect(readBatchRecord(corpus(), 'b1')).rejects.toMatchObject({ name: 'StoreError', code: 'DAMAGED' });
  });
});
