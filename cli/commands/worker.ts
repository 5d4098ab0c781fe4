import type { Command } from 'commander';
import { runWorkerProcess } from '../../workers/run-worker.js';

export function addWorkerCommand(program: Command): void {
  program
    .command('worker')
    .description('run a worker against the Temporal server of TEMPORAL_ADDRESS until SIGTERM or Ctrl-C')
    .option('--config <file>', 'the configuration file (default HOLDFAST_CONFIG, else holdfast.config.yaml)')
    .option('--local-models <url>', 'base URL of a local model service')
    .action(async (options: { config?: string; localModels?: string }) => {
      process.exitCode = await runWorkerProcess({ configFile: options.config, localModelsUrl: options.localModels });
    });
}
