import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createCallBudget } from '../../../activities/stages/call-budget.js';
import { callBudgetPath } from '../../../src/corpus-layout.js';
import { plan } from '../../support/plan.js';
import { useTemporaryDirectory } from '../../support/temporary-directory.js';

const of = { feedId: 'f', episodeId: 'e' };
const episode = { ...of, title: 'E', document: { uri: '', sha256: '', bytes: 0 } };

describe('createCallBudget', () => {
  const corpusDir = useTemporaryDirectory();
  const budget = (batchId: string) =>
    createCallBudget({
      plan: { ...plan({ overrides: { call_budget_per_episode: '2' } }), corpusDir: corpusDir(), batchId },
      episode,
    });

  it('goes on from the count that another process left', async () => {
    await budget('b').tick();
    await budget('b').tick();

    await expect(budget('b').tick()).rejects.toMatchObject({ type: 'CallBudgetExhausted' });
    expect(await budget('b').used()).toBe(2);
    expect(await budget('other').used()).toBe(0);
  });

  it('lets no call through where the count cannot be read', async () => {
    const folder = path.dirname(path.join(corpusDir(), callBudgetPath('damaged', of)));
    await mkdir(path.dirname(folder), { recursive: true });
    await writeFile(folder, 'a file where a folder should be');

    await expect(budget('damaged').tick()).rejects.toMatchObject({ name: 'StoreError', code: 'ENOTDIR' });
  });
});
