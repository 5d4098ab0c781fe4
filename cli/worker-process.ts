import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, writeFileSync, type WriteStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { LogLine } from '../workers/log.js';
import { configurationExitCode, type Environment } from '../workers/config.js';
import { CommandError } from './command-error.js';

export interface WorkerProcessOptions {
  readonly address: string;
  readonly localModelsUrl: string | undefined;
  readonly configFile: string | undefined;
  readonly env: Environment;
  readonly dataDir: string;
  /** Warnings and errors of the worker, and that it was started again, for people. */
  readonly onNotice: (text: string) => void;
}

/** A worker in a process of its own, so that neither takes the other down. */
export interface WorkerProcess {
  pid(): number | undefined;
  stop(): Promise<void>;
}

const restartAfterMs = [1000, 2000, 5000, 10_000, 30_000] as const;
/** Well above the worker's own time for calls in flight. */
const stopLimitMs = 40_000;

/**
 * Starts a worker, waits until it is ready, and starts it again whenever it dies, until stopped.
 *
 * @throws {CommandError} with what it said when it does not come up the first time
 */
export async function startWorkerProcess(options: WorkerProcessOptions): Promise<WorkerProcess> {
  const log = createWriteStream(path.join(options.dataDir, 'worker.log'), { flags: 'a' });
  let child = await launch(options, log);
  let isStopped = false;
  const watch = (failures: number): void => {
    child.once('exit', (code, signal) => {
      if (isStopped) return;
      options.onNotice(`The worker ended (${signal ?? `exit ${code ?? '?'}`}); it is started again.`);
      relaunch(failures);
    });
  };
  const relaunch = (failures: number): void => {
    setTimeout(
      () => {
        if (isStopped) return;
        launch(options, log).then(
          (next) => {
            child = next;
            if (isStopped) child.kill('SIGTERM');
            else watch(0);
          },
          (error: unknown) => {
            options.onNotice(error instanceof Error ? error.message : String(error));
            relaunch(failures + 1);
          },
        );
      },
      restartAfterMs[Math.min(failures, restartAfterMs.length - 1)],
    ).unref();
  };
  watch(0);
  return {
    pid: () => child.pid,
    stop: async () => {
      isStopped = true;
      await end(child);
      log.end();
    },
  };
}

function launch(options: WorkerProcessOptions, log: WriteStream): Promise<ChildProcess> {
  const child = spawnWorker(options);
  const said: string[] = [];
  let isReady = false;
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      const what = code === configurationExitCode ? 'cannot run as it is configured' : 'did not start';
      const reason = said.slice(-5).join('\n  ') || (signal ?? `exit ${code ?? '?'}`);
      reject(new CommandError(`The worker ${what}:\n  ${reason}`));
    });
    if (child.stderr === null) return;
    createInterface({ input: child.stderr }).on('line', (line) => {
      log.write(`${line}\n`);
      const { level, message, sdkComponent } = parseLine(line);
      if (message === 'worker ready') {
        isReady = true;
        resolve(child);
      } else if (!isReady && level !== 'info') said.push(message);
      // A failed attempt is for the log: the batch's own status tells what matters of it.
      else if (level === 'error' || (level === 'warn' && sdkComponent === undefined)) options.onNotice(message);
    });
  });
}

function spawnWorker({ address, localModelsUrl, configFile, env, dataDir }: WorkerProcessOptions): ChildProcess {
  const extension = path.extname(__filename);
  const main = path.join(__dirname, '..', 'workers', `main${extension}`);
  const loader = extension === '.ts' ? ['-r', path.join(__dirname, '..', 'bin', 'register.js')] : [];
  const config = configFile === undefined ? [] : ['--config', configFile];
  const models = localModelsUrl === undefined ? [] : ['--local-models', localModelsUrl];
  return spawn(process.execPath, [...loader, main, ...config, ...models], {
    env: { ...withoutTemporal(env), TEMPORAL_CONFIG_FILE: writeTemporalConfig(dataDir, address) },
    detached: true, // Ctrl-C is for us; the worker is stopped in order
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'], // the channel tells it when we are gone
  });
}

/** Temporal's own form of saying where a server is: ours, whatever the user's file says of others. */
function writeTemporalConfig(dataDir: string, address: string): string {
  const file = path.resolve(dataDir, 'temporal.toml');
  writeFileSync(file, `[profile.default]\naddress = "${address}"\nnamespace = "default"\n`);
  return file;
}

function withoutTemporal(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('TEMPORAL_')));
}

function parseLine(line: string): Omit<LogLine, 'at'> & { readonly level: string; readonly message: string } {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { level: 'info', message: line };
  }
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const limit = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
    child.once('exit', () => {
      clearTimeout(limit);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
