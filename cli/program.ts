import { Command } from 'commander';
import { holdfastVersion } from '../setup/version.js';
import { addBatchCommands } from './commands/batch.js';
import { addCompletionCommand } from './commands/completion.js';
import { addDoctorCommand } from './commands/doctor.js';
import { addEndpointsCommand } from './commands/endpoints.js';
import { addProfilesCommand } from './commands/profiles.js';
import { addQuickstartCommand } from './commands/quickstart.js';
import { addReplayCommand } from './commands/replay.js';
import { addReportCommand } from './commands/report.js';
import { addReprocessCommand } from './commands/reprocess.js';
import { addSetupCommand } from './commands/setup.js';
import { addTemporalCommand } from './commands/temporal.js';
import { addUpCommand } from './commands/up.js';
import { addVerifyCommand } from './commands/verify.js';
import { addWorkerCommand } from './commands/worker.js';
import { addExamples } from './examples.js';

/** In the order of the help. */
const commands = [
  addUpCommand,
  addReprocessCommand,
  addBatchCommands,
  addEndpointsCommand,
  addReportCommand,
  addVerifyCommand,
  addProfilesCommand,
  addDoctorCommand,
  addSetupCommand,
  addReplayCommand,
  addTemporalCommand,
  addWorkerCommand,
  addQuickstartCommand,
  addCompletionCommand,
];

/** The whole command line. Every command is a thin client: what it does, `temporal` can do too. */
export function createProgram(): Command {
  // Set before the commands are added: each inherits it.
  const program = new Command('holdfast')
    .enablePositionalOptions() // `temporal` passes on what follows it
    .description('Durable reprocessing of podcast archives: hold the chosen model, never mix a corpus.')
    .version(holdfastVersion(), '-V, --version', 'print the version')
    .exitOverride()
    .showHelpAfterError('(add --help for what is allowed)');
  for (const add of commands) add(program);
  addExamples(program);
  return program;
}
