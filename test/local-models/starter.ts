import { startLocalModels } from '../../local-models/start-local-models.js';
import { localParts } from './local-models-rig.js';

/** Starts the service, says where it is, and is killed before it could stop it. */
async function main(): Promise<void> {
  const service = await startLocalModels(await localParts());
  process.stdout.write(JSON.stringify({ pid: service.pid(), url: service.url }), () => {
    process.kill(process.pid, 'SIGKILL');
  });
}

void main();
