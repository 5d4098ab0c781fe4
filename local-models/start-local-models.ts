import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { entry } from './entry.js';
import type { ReadyLine } from './main.js';

export interface LocalModelsOptions {
  readonly ffmpegPath: string;
  /** A ggml file, or a folder with a Whisper model of sherpa-onnx. */
  readonly whisperModelPath: string;
  readonly segmentationPath: string;
  readonly embeddingPath: string;
  /** Default: any free port, kept over restarts. */
  readonly port?: number;
  /** Default: one fewer than the cores, 1 at least. */
  readonly threads?: number;
  /** Default 0.6. */
  readonly speakerThreshold?: number;
  /** Told each time the service has died and is started again. */
  readonly onRestart?: (reason: string) => void;
}

export interface LocalModels {
  readonly url: string;
  /** Exact ids, speech first. */
  readonly models: readonly string[];
  /** Of the service's process as it runs now. */
  readonly pid: () => number | undefined;
  stop(): Promise<void>;
}

const restartAfterMs = [500, 1000, 2000, 5000, 10_000] as const;

/**
 * Starts the local model service in a process of its own, waits until it answers, and starts it again on the same
 * port whenever it dies, until stopped. It also ends when this process does.
 * @throws Error with what the service wrote when it does not come up the first time
 */
export async function startLocalModels(options: LocalModelsOptions): Promise<LocalModels> {
  const first = await launch(options, options.port ?? 0);
  const port = Number(new URL(first.ready.url).port);
  let child = first.child;
  let isStopped = false;
  const watch = (failures: number): void => {
    child.once('exit', (code, signal) => {
      if (isStopped) return;
      options.onRestart?.(signal ?? `exit ${code ?? '?'}`);
      relaunch(failures);
    });
  };
  const relaunch = (failures: number): void => {
    const waitMs = restartAfterMs[Math.min(failures, restartAfterMs.length - 1)];
    setTimeout(() => {
      if (isStopped) return;
      launch(options, port).then(
        (next) => {
          child = next.child;
          if (isStopped) child.kill('SIGTERM');
          else watch(0);
        },
        () => {
          relaunch(failures + 1);
        },
      );
    }, waitMs).unref();
  };
  watch(0);
  return {
    url: first.ready.url,
    models: first.ready.models,
    pid: () => child.pid,
    stop: () => {
      isStopped = true;
      return end(child);
    },
  };
}

function launch(options: LocalModelsOptions, port: number): Promise<{ child: ChildProcess; ready: ReadyLine }> {
  const { file, execArgv } = entry('main');
  const child = spawn(process.execPath, [...execArgv, file, ...serviceArguments(options, port)], {
    detached: true, // Ctrl-C is for whoever started it, who stops it in order
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'], // the channel tells it when we are gone
  });
  return new Promise((resolve, reject) => {
    let complaint = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(-2000);
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      reject(new Error(`Local models did not start (${signal ?? `exit ${code ?? '?'}`}): ${complaint.trim()}`));
    });
    if (child.stdout) {
      createInterface({ input: child.stdout }).once('line', (line) => {
        resolve({ child, ready: JSON.parse(line) as ReadyLine });
      });
    }
  });
}

function serviceArguments(options: LocalModelsOptions, port: number): string[] {
  const values: Readonly<Record<string, string | number | undefined>> = {
    ffmpeg: options.ffmpegPath,
    'whisper-model': options.whisperModelPath,
    segmentation: options.segmentationPath,
    embedding: options.embeddingPath,
    threads: options.threads,
    'speaker-threshold': options.speakerThreshold,
    port,
  };
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)]));
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => {
      resolve();
    });
    child.kill('SIGTERM');
  });
}
