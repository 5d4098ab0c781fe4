import type { Command } from 'commander';
import type * as implementation from '../doctor.js';

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('look at everything a run needs: parts, Temporal, and each tier of a profile')
    .option('--profile <name>', 'whose tiers to look at; default local')
    .option('--config <file>', 'a configuration file in place of a profile')
    .option('--local-models <url>', 'base URL of a local model service; default: that of the site whose server answers')
    .option('--json', 'print one JSON array')
    .action(async (options: implementation.DoctorOptions) => {
      // Loaded when asked for: the clients of every provider take a second that `status` should not. By `require`, since
      // tsx's CommonJS loader leaves `import()` to Node, which knows no TypeScript.
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
      const { doctor } = require('../doctor.js') as typeof implementation;
      await doctor(options);
    });
}
