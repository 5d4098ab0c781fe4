import fs from 'node:fs';
import { readSamples } from './audio.js';
import { jobConfig, serveJobs } from './model-job.js';
import { createSherpaDriver } from './sherpa-driver.js';
import type { SpeechDriverConfig, SpeechOptions } from './speech-driver.js';
import { createWhisperCppDriver } from './whisper-cpp-driver.js';

/** `samplesFile` as `decodeAudio` writes it. */
export interface SpeechJob {
  readonly samplesFile: string;
  readonly options: SpeechOptions;
}

async function main(): Promise<void> {
  const config = jobConfig() as SpeechDriverConfig;
  const isFolder = fs.statSync(config.modelPath).isDirectory();
  const driver = isFolder ? createSherpaDriver(config) : await createWhisperCppDriver(config);
  serveJobs((job: SpeechJob) => driver.transcribe(readSamples(job.samplesFile), job.options));
}

void main();
