import { sleep } from '@temporalio/workflow';

/** An episode as no release of ours has it: it begins with a timer. */
export async function processEpisode(): Promise<void> {
  await sleep('1 day');
}
