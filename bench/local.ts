import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startLocalModels } from '../local-models/start-local-models.js';
import { resolveFfmpeg } from '../setup/ffmpeg.js';
import { resolveSpeakerModels } from '../setup/speaker-models.js';
import { resolveWhisperModel } from '../setup/whisper-model.js';
import { measureSpeakers, measureWords, type SpokenData } from './local-accuracy.js';
import { createLocalClient } from './local-client.js';
import { measureSpeed } from './local-speed.js';

export interface LocalBenchOptions {
  /** Default: `../shared/data` beside the project; its figures are left out, and that is said, when it is not there. */
  readonly dataDir?: string;
  /** Default 3. */
  readonly speedRounds?: number;
}

const projectDir = path.join(__dirname, '..');
const multiEpisodes = ['p01_multi_e01', 'p01_multi_e02', 'p01_multi_e03', 'p01_multi_e04', 'p01_multi_e05'];
const exampleNames = ['durable-execution', 'one-graphics-card', 'honest-archive', 'listener-questions'];
const examples: SpokenData = {
  dir: path.join(projectDir, 'examples'),
  transcribed: exampleNames,
  diarized: exampleNames.map((name) => ({ name, speakers: 2 })),
};

/**
 * Accuracy and speed of the local tier on real models and real audio; prints the figures and answers them. The caller
 * ends the process itself: whisper.cpp, once called in it, keeps it alive.
 */
export async function run(options: LocalBenchOptions = {}): Promise<object> {
  const dataDir = options.dataDir ?? path.join(projectDir, '..', 'shared', 'data');
  const ffmpegPath = (await resolveFfmpeg()).path;
  const whisperModelPath = (await resolveWhisperModel()).path;
  const speakers = await resolveSpeakerModels();
  const threads = Math.max(1, os.availableParallelism() - 1);
  const service = await startLocalModels({
    ffmpegPath,
    whisperModelPath,
    segmentationPath: speakers.segmentation.path,
    embeddingPath: speakers.embedding.path,
    threads,
  });
  try {
    const client = createLocalClient(service.url, service.models[0] ?? '');
    const audioFile = path.join(examples.dir, 'audio', 'one-graphics-card.mp3');
    const speedInput = { audioFile, ffmpegPath, modelPath: whisperModelPath, threads };
    const figures = {
      models: service.models,
      threads,
      speed: await measureSpeed(client, { ...speedInput, rounds: options.speedRounds ?? 3 }),
      examples: { wer: await measureWords(client, examples), der: await measureSpeakers(client, examples) },
      shared: fs.existsSync(dataDir) ? await measureShared(client, dataDir) : `left out: no ${dataDir}`,
    };
    console.log(JSON.stringify(figures, null, 2));
    return figures;
  } finally {
    await service.stop();
  }
}

/** Targets: pooled WER <= 14 %, p01_e01_fast <= 9 %; DER <= 20 % counting, <= 15 % with the count given. */
async function measureShared(client: ReturnType<typeof createLocalClient>, dir: string): Promise<object> {
  const diarized = [
    { name: 'p01_e02', speakers: 3 },
    { name: 'p01_e04', speakers: 2 },
    ...multiEpisodes.map((name) => ({ name, speakers: 2 })),
  ];
  const data: SpokenData = { dir, transcribed: [...multiEpisodes, 'p01_e01_fast'], diarized };
  return { wer: await measureWords(client, data), der: await measureSpeakers(client, data) };
}
