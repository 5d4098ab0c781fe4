import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { callBudgetPath } from '../../src/corpus-layout.js';
import { safeName } from '../../src/safe-name.js';
import type { StageJob } from './stage-job.js';
import { sha256Of } from '../store/digest.js';
import { makeDirectory } from '../store/make-directory.js';
import { asStoreError, systemCode } from '../store/store-error.js';
import { ClassifiedError } from '../throw-failure.js';

/** How many LLM calls an episode has made in a batch: one byte a call, so that a count survives any kill (ADR-113). */
export interface CallBudget {
  /** Counts a call before it is sent. @throws ClassifiedError `CallBudgetExhausted` when it may not be sent */
  tick(): Promise<void>;
  used(): Promise<number>;
}

export function createCallBudget({ plan, episode }: Pick<StageJob, 'plan' | 'episode'>): CallBudget {
  const { feedId, episodeId } = episode;
  const file = path.join(plan.corpusDir, callBudgetPath(safeName(plan.batchId, sha256Of), { feedId, episodeId }));
  const used = (): Promise<number> => sizeOf(file);
  return {
    used,
    tick: async () => {
      const before = await used();
      if (before >= plan.callBudgetPerEpisode) {
        const limit = plan.callBudgetPerEpisode;
        throw new ClassifiedError('CallBudgetExhausted', `the episode's budget of ${limit} LLM calls is used up`);
      }
      await appendByte(file);
    },
  };
}

/** A count that cannot be read is no count of 0: the limit would be gone. */
async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 0;
    throw asStoreError(error, file, 'read');
  }
}

async function appendByte(file: string): Promise<void> {
  try {
    await makeDirectory(path.dirname(file));
    const handle = await open(file, 'a');
    try {
      await handle.write('.');
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw asStoreError(error, file);
  }
}
