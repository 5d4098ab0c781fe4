import { Command } from 'commander';
import { addQuickstartCommand } from './commands/quickstart.js';
import { addReprocessCommand } from './commands/reprocess.js';
import { addUpCommand } from './commands/up.js';
import { addWorkerCommand } from './commands/worker.js';

/** The whole command line. Every command is a thin client: what it does, `temporal` can do too. */
export function createProgram(): Command {
  const program = new Command('holdfast')
    .description('Durable reprocessing of podcast archives: hold the chosen model, never mix a corpus.')
    .exitOverride()
    .showHelpAfterError('(add --help for what is allowed)');
  addUpCommand(program);
  addReprocessCommand(program);
  addWorkerCommand(program);
  addQuickstartCommand(program);
  for (const command of program.commands) command.exitOverride().showHelpAfterError('(add --help for what is allowed)');
  return program;
}
