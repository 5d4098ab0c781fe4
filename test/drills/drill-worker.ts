import { spawn } from 'node:child_process';
import { createWriteStream, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { repositoryRoot } from '../support/prepared.js';

export interface DrillWorkerOptions {
  readonly address: string;
  readonly configFile: string;
  /** Its log and Temporal's own configuration are written here. */
  readonly dataDir: string;
}

/** A real worker in a process of its own, for a drill to end as it likes. */
export interface DrillWorker {
  readonly pid: number;
  /** Like a power cut: nothing of it runs on. Resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM, and the exit code. */
  stop(): Promise<number | null>;
}

/** Starts `workers/main.ts` and waits until it polls. @throws Error with what it said when it does not come up */
export async function startDrillWorker(options: DrillWorkerOptions): Promise<DrillWorker> {
  const loader = ['-r', path.join(repositoryRoot, 'bin', 'register.js')];
  const main = path.join(repositoryRoot, 'workers', 'main.ts');
  const child = spawn(process.execPath, [...loader, main, '--config', options.configFile], {
    env: { ...withoutTemporal(process.env), TEMPORAL_CONFIG_FILE: writeTemporalConfig(options) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'], // the channel tells it when we are gone
  });
  const log = createWriteStream(path.join(options.dataDir, 'worker.log'), { flags: 'a' });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    void exited.then((code) => {
      log.end();
      reject(new Error(`The worker did not start (exit ${code ?? 'by signal'}): ${said.slice(-5).join('; ')}`));
    });
    if (child.stderr === null) return;
    createInterface({ input: child.stderr }).on('line', (line) => {
      said.push(line);
      if (log.writable) log.write(`${line}\n`);
      if (line.includes('"worker ready"')) resolve();
    });
  });
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return exited;
  };
  return {
    pid: child.pid ?? 0,
    kill: async () => {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
  };
}

function writeTemporalConfig({ dataDir, address }: DrillWorkerOptions): string {
  const file = path.join(dataDir, 'temporal.toml');
  writeFileSync(file, `[profile.default]\naddress = "${address}"\nnamespace = "default"\n`);
  return file;
}

function withoutTemporal(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('TEMPORAL_')));
}
