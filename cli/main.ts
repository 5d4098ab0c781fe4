import { CommanderError } from 'commander';
import { PartNotFoundError } from '../setup/resolve-tool.js';
import { ConfigurationError } from '../workers/config.js';
import { CommandError, exitCodes } from './command-error.js';
import { tell } from './output.js';
import { createProgram } from './program.js';

/** Says what went wrong in words; a stack only where the fault is ours. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.allDone : exitCodes.usage;
  if (error instanceof CommandError) {
    tell(`holdfast: ${error.message}`);
    return error.exitCode;
  }
  if (error instanceof ConfigurationError || error instanceof PartNotFoundError) {
    tell(`holdfast: ${error.message}`);
    return error instanceof ConfigurationError ? exitCodes.usage : exitCodes.failed;
  }
  tell(
    `holdfast: a fault in Holdfast itself: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  return exitCodes.failed;
}

// A reader that has seen enough (`| head`) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.allDone);
  throw error;
});

createProgram()
  .parseAsync(process.argv)
  .catch((error: unknown) => {
    process.exitCode = exitCodeOf(error);
  });
