import type { Command } from 'commander';
import type { Replayed, replayOpenWorkflows as Replay } from '../../workers/replay-open.js';
import { exitCodes } from '../command-error.js';
import { withClient } from '../connect.js';
import { count, print, printJson } from '../output.js';

export function addReplayCommand(program: Command): void {
  program
    .command('replay')
    .description('before an upgrade: can the code of this release go on with every open batch, episode and endpoint?')
    .option('--json', 'print one JSON object')
    .action(replay);
}

async function replay({ json }: { json?: boolean }): Promise<void> {
  // Loaded when asked for, as in doctor.ts.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- tsx leaves `import()` to Node
  const { replayOpenWorkflows } = require('../../workers/replay-open.js') as { replayOpenWorkflows: typeof Replay };
  await withClient({}, async ({ client }) => {
    const misfits: Replayed[] = [];
    let replayed = 0;
    for await (const one of replayOpenWorkflows(client)) {
      replayed += 1;
      if (one.fault !== undefined) misfits.push(one);
    }
    if (json === true) printJson({ replayed, misfits });
    else {
      for (const { workflowId, fault } of misfits) print(`${workflowId}: ${fault ?? ''}`);
      print(`${count(replayed, 'open workflow')} replayed, ${misfits.length} of which this release cannot go on with.`);
    }
    process.exitCode = misfits.length === 0 ? exitCodes.allDone : exitCodes.failed;
  });
}
