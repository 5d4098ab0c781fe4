import { parseArgs } from 'node:util';
import { runWorkerProcess } from './run-worker.js';

/** `main [--config FILE] [--local-models URL]`: what `holdfast worker` runs, for images and for `holdfast up`. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { config: { type: 'string' }, 'local-models': { type: 'string' } } });
  process.exitCode = await runWorkerProcess({ configFile: values.config, localModelsUrl: values['local-models'] });
}

void main();
