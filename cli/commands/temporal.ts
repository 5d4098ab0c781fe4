import { spawn } from 'node:child_process';
import os from 'node:os';
import type { Command } from 'commander';
import { setupContext } from '../../setup/context.js';
import { resolveTemporalCli } from '../../setup/temporal.js';
import { CommandError } from '../command-error.js';
import { sayStep } from '../local-site.js';
import { tell } from '../output.js';

export function addTemporalCommand(program: Command): void {
  program
    .command('temporal')
    .description("Temporal's own command line, wherever it was found or installed; everything is passed on")
    .argument('[args...]', 'as `temporal` takes them')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(temporal);
}

/** The server is the environment's (`TEMPORAL_ADDRESS`, ...), which the program reads itself. */
async function temporal(args: readonly string[]): Promise<void> {
  const program = await resolveTemporalCli(setupContext(process.env, sayStep(tell)));
  if (program.kind !== 'executable') {
    throw new CommandError(
      'There is no Temporal command line here: install `temporal`, or name it by TEMPORAL_CLI_PATH.',
    );
  }
  const child = spawn(program.path, args, { stdio: 'inherit' });
  // A Ctrl-C of the terminal reaches the program too: how it ends is how we end.
  const leaveIt = (): void => undefined;
  process.on('SIGINT', leaveIt);
  const passOn = (): void => void child.kill('SIGTERM');
  process.on('SIGTERM', passOn);
  process.exitCode = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : os.constants.signals[signal])));
  });
  process.off('SIGINT', leaveIt);
  process.off('SIGTERM', passOn);
}
