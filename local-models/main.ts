import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ModelProcess } from './model-process.js';
import { createService, type ServedModels } from './service.js';
import { speakerModelId, speechModelId } from './model-id.js';

/** Printed once, as one line of JSON, when the service answers. */
export interface ReadyLine {
  readonly event: 'ready';
  readonly url: string;
  readonly models: readonly string[];
}

const usage =
  'usage: local-models --ffmpeg FILE --whisper-model FILE|DIR --segmentation FILE --embedding FILE ' +
  '[--host 127.0.0.1] [--port 0] [--threads N] [--speaker-threshold 0.6]';
/** How long calls in flight may go on after a signal to stop. */
const graceMs = 2000;

interface Settings {
  readonly ffmpegPath: string;
  readonly whisperModelPath: string;
  readonly segmentationPath: string;
  readonly embeddingPath: string;
  readonly host: string;
  readonly port: number;
  readonly threads: number;
  readonly threshold: number;
}

function readSettings(argv: readonly string[]): Settings {
  const text = { type: 'string' } as const;
  const options = { ffmpeg: text, 'whisper-model': text, segmentation: text, embedding: text } as const;
  const more = { host: text, port: text, threads: text, 'speaker-threshold': text } as const;
  const { values } = parseArgs({ args: [...argv], options: { ...options, ...more } });
  const required = (name: keyof typeof options): string => {
    const value = values[name];
    if (value === undefined) throw new Error(`--${name} is missing\n${usage}`);
    return value;
  };
  return {
    ffmpegPath: required('ffmpeg'),
    whisperModelPath: required('whisper-model'),
    segmentationPath: required('segmentation'),
    embeddingPath: required('embedding'),
    host: values.host ?? '127.0.0.1',
    port: Number(values.port ?? 0),
    // One core stays free: with threads = cores a busy machine took 440 s for a file of 19 s.
    threads: Number(values.threads ?? Math.max(1, os.availableParallelism() - 1)),
    threshold: Number(values['speaker-threshold'] ?? 0.6),
  };
}

function createModels(settings: Settings): ServedModels {
  const { whisperModelPath, segmentationPath, embeddingPath, threads, threshold } = settings;
  return {
    speech: {
      modelId: speechModelId(whisperModelPath),
      process: new ModelProcess('speech-child', { modelPath: whisperModelPath, threads }),
    },
    speakers: {
      modelId: speakerModelId(segmentationPath, embeddingPath),
      process: new ModelProcess('speaker-child', { segmentationPath, embeddingPath, threads, threshold }),
    },
  };
}

function listen(server: Server, { host, port }: Settings): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      resolve(`http://${host}:${(server.address() as AddressInfo).port}`);
    });
  });
}

/** Ends the process when it is told to, or when whoever started it is gone: also while the models still load. */
function stopOnSignal(server: Server, models: ServedModels): void {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    server.close(() => {
      models.speech.process.stop();
      models.speakers.process.stop();
      process.exit(0);
    });
    setTimeout(() => {
      server.closeAllConnections();
    }, graceMs).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  process.on('disconnect', stop);
}

async function main(): Promise<void> {
  const settings = readSettings(process.argv.slice(2));
  const models = createModels(settings);
  const log = (event: string, message: string): void => {
    process.stderr.write(`${JSON.stringify({ service: path.basename(__dirname), event, message })}\n`);
  };
  const server = createService(models, settings.ffmpegPath, (error) => {
    log('fault', error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  });
  stopOnSignal(server, models);
  await Promise.all([models.speech.process.start(), models.speakers.process.start()]);
  const url = await listen(server, settings);
  const ready: ReadyLine = { event: 'ready', url, models: [models.speech.modelId, models.speakers.modelId] };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
