import type { Command } from 'commander';
import type * as implementation from '../../workers/run-worker.js';

export function addWorkerCommand(program: Command): void {
  program
    .command('worker')
    .description('run a worker against the Temporal server of TEMPORAL_ADDRESS until SIGTERM or Ctrl-C')
    .option('--config <file>', 'the configuration file (default HOLDFAST_CONFIG, else holdfast.config.yaml)')
    .option('--local-models <url>', 'base URL of a local model service')
    .action(async (options: { config?: string; localModels?: string }) => {
      // Loaded when asked for, as in doctor.ts: a worker's parts take a second that `status` should not.
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- tsx leaves `import()` to Node
      const { runWorkerProcess } = require('../../workers/run-worker.js') as typeof implementation;
      process.exitCode = await runWorkerProcess({ configFile: options.config, localModelsUrl: options.localModels });
    });
}
