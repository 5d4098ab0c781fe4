import type { Command } from 'commander';
import { batchOrderOf, type ReprocessOptions } from '../batch-input.js';
import { commandWord } from '../command-word.js';
import { withClient } from '../connect.js';
import { print, printJson } from '../output.js';
import { printOutcome } from '../print-batch.js';
import { addReprocessOptions } from '../reprocess-options.js';
import { runBatch, startBatch } from '../run-batch.js';

const exitCodesText = `
Exit codes: 0 all done, 1 something failed, 2 usage or bad input, 3 halted, 4 aborted.`;

export function addReprocessCommand(program: Command): void {
  const command = program.command('reprocess').description('run a batch over a feed, audio files or a corpus');
  addReprocessOptions(command)
    .option('--detach', 'start the batch and do not wait for it')
    .addHelpText('after', exitCodesText)
    .action(async (options: ReprocessOptions) => reprocess(options));
}

async function reprocess(options: ReprocessOptions): Promise<void> {
  const order = await batchOrderOf(options, { workingDir: process.cwd(), now: new Date() });
  await withClient({}, async (connected) => {
    if (options.detach === true) {
      await startBatch(connected, order);
      const { batchId } = order;
      if (options.json === true) printJson({ batchId, state: 'running' });
      else print(`Batch ${batchId} is started: ${commandWord()} watch ${batchId}`);
      return;
    }
    const outcome = await runBatch(connected, order, options);
    printOutcome(outcome, options);
    process.exitCode = outcome.exitCode;
  });
}
