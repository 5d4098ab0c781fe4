import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { temporalExecutableOption, type TemporalProgram } from '../setup/temporal.js';
import { CommandError } from './command-error.js';
import { forgetServer, noteServer, stopStaleServer } from './stale-server.js';

export interface ServerOptions {
  /** Database file and log are below it. */
  readonly dataDir: string;
  readonly port: number;
  readonly uiPort: number;
}

/** A Temporal server of our own, with its Web UI, on loopback. */
export interface EmbeddedServer {
  readonly address: string;
  readonly uiUrl: string;
  /** Resolves, with how, when it ends without having been told to. */
  readonly died: Promise<string>;
  stop(): Promise<void>;
}

const startLimitMs = 60_000;
const stopLimitMs = 10_000;
/** `temporal workflow pause`, for operators who want it; off by default in the server. */
const dynamicConfig = ['--dynamic-config-value', 'frontend.WorkflowPauseEnabled=true'];

/**
 * Starts the server and waits until it answers.
 *
 * @throws {CommandError} when a port is taken, or it does not come up; with the end of its log
 */
export async function startEmbeddedServer(program: TemporalProgram, options: ServerOptions): Promise<EmbeddedServer> {
  const { port, uiPort } = options;
  await stopStaleServer(options.dataDir, databaseFile(options.dataDir));
  for (const [flag, number] of [['--port', port] as const, ['--ui-port', uiPort] as const]) {
    if (!(await isPortFree(number))) {
      throw new CommandError(`Port ${number} is in use (by another \`holdfast up\`?); choose another with ${flag}.`);
    }
  }
  if (program.kind === 'cached-download') return startDownloaded(program, options);
  const child = spawnServer(program.path, options);
  const server = serverOf(child, options);
  try {
    await Promise.race([untilAnswering(server.address), server.died.then(fail(options))]);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function spawnServer(file: string, { dataDir, port, uiPort }: ServerOptions): ChildProcess {
  const database = ['--db-filename', databaseFile(dataDir), '--log-level', 'warn'];
  const ports = ['--port', String(port), '--ui-port', String(uiPort), '--headless=false', '--ip', '127.0.0.1'];
  // A group of its own: Ctrl-C is for `holdfast up`, which stops the server last.
  const child = spawn(file, ['server', 'start-dev', ...database, ...ports, ...dynamicConfig], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(logFile(dataDir), { flags: 'a' });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  child.once('close', () => log.end());
  noteServer(dataDir, child.pid);
  return child;
}

function databaseFile(dataDir: string): string {
  return path.join(dataDir, 'temporal.db');
}

function logFile(dataDir: string): string {
  return path.join(dataDir, 'temporal.log');
}

function serverOf(child: ChildProcess, { dataDir, port, uiPort }: ServerOptions): EmbeddedServer {
  let isStopping = false;
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit ${code ?? '?'}`));
  });
  return {
    address: `127.0.0.1:${port}`,
    uiUrl: `http://127.0.0.1:${uiPort}`,
    died: exited.then((how) => (isStopping ? new Promise<string>(() => undefined) : how)),
    stop: async () => {
      isStopping = true;
      child.kill('SIGTERM');
      const limit = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
      await exited;
      clearTimeout(limit);
      forgetServer(dataDir);
    },
  };
}

function fail({ dataDir }: ServerOptions): (how: string) => never {
  return (how) => {
    throw new CommandError(`The Temporal server did not start (${how}); its log is ${logFile(dataDir)}.`);
  };
}

async function untilAnswering(address: string): Promise<void> {
  const deadlineAtMs = Date.now() + startLimitMs;
  for (;;) {
    try {
      const connection = await Connection.connect({ address, connectTimeout: '2s' });
      await connection.workflowService.describeNamespace({ namespace: 'default' }).finally(() => connection.close());
      return;
    } catch (error) {
      if (Date.now() > deadlineAtMs) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new CommandError(`The Temporal server at ${address} does not answer: ${reason}`);
      }
      await delay(200);
    }
  }
}

/** Where no program of ours was to be had, the SDK fetches one and runs it itself. */
async function startDownloaded(
  program: TemporalProgram,
  { dataDir, port, uiPort }: ServerOptions,
): Promise<EmbeddedServer> {
  // Loaded when needed: it brings the whole worker, half a second that `status` should not take.
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  const environment = await TestWorkflowEnvironment.createLocal({
    server: {
      executable: temporalExecutableOption(program),
      dbFilename: databaseFile(dataDir),
      port,
      ui: true,
      uiPort,
      extraArgs: dynamicConfig,
    },
  });
  return {
    address: environment.address,
    uiUrl: `http://127.0.0.1:${uiPort}`,
    died: new Promise(() => undefined),
    stop: () => environment.teardown(),
  };
}

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** `wanted` where it is free, else any other. */
export async function freePort(wanted: number): Promise<number> {
  if (await isPortFree(wanted)) return wanted;
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
