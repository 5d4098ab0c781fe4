import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { decodeAudio, readSamples } from '../local-models/audio.js';
import type { SpeechDriver } from '../local-models/speech-driver.js';
import { createWhisperCppDriver } from '../local-models/whisper-cpp-driver.js';
import type { LocalClient } from './local-client.js';

export interface SpeedFigures {
  /** Wall time over audio time, median of the rounds. */
  readonly tierRealTimeFactor: number;
  readonly directRealTimeFactor: number;
  /** Median of the ratios within a round; target <= 1.1. */
  readonly ratio: number;
}

interface SpeedInput {
  readonly audioFile: string;
  readonly ffmpegPath: string;
  readonly modelPath: string;
  readonly threads: number;
  readonly rounds: number;
}

/**
 * The service (HTTP upload, decoding, inference in a child, answer) against the same model called in this process
 * (decoding, inference), by turns, so that a busy machine slows both. Loading the model counts for neither.
 */
export async function measureSpeed(client: LocalClient, input: SpeedInput): Promise<SpeedFigures> {
  const driver = await createWhisperCppDriver({ modelPath: input.modelPath, threads: input.threads });
  const { duration } = await client.transcribe(input.audioFile); // the first call of each warms its model up
  await callDirectly(driver, input);
  const rounds = [];
  for (let round = 0; round < input.rounds; round++) {
    const direct = await secondsOf(() => callDirectly(driver, input));
    const tier = await secondsOf(() => client.transcribe(input.audioFile));
    rounds.push({ direct, tier });
  }
  return {
    tierRealTimeFactor: median(rounds.map(({ tier }) => tier / duration)),
    directRealTimeFactor: median(rounds.map(({ direct }) => direct / duration)),
    ratio: median(rounds.map(({ direct, tier }) => tier / direct)),
  };
}

async function callDirectly(driver: SpeechDriver, { audioFile, ffmpegPath }: SpeedInput): Promise<void> {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'));
  const samplesFile = path.join(dir, 'samples');
  await decodeAudio({ input: audioFile, output: samplesFile }, ffmpegPath, new AbortController().signal);
  await driver.transcribe(readSamples(samplesFile), {});
  fs.rmSync(dir, { recursive: true });
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return (performance.now() - startMs) / 1000;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length / 2)] ?? NaN) * 1000) / 1000;
}
