import { readSamples } from './audio.js';
import { jobConfig, serveJobs } from './model-job.js';
import { createSpeakerDriver, type SpeakerBounds, type SpeakerDriverConfig } from './speaker-driver.js';

/** `samplesFile` as `decodeAudio` writes it. */
export interface SpeakerJob {
  readonly samplesFile: string;
  readonly bounds: SpeakerBounds;
}

const driver = createSpeakerDriver(jobConfig() as SpeakerDriverConfig);
serveJobs((job: SpeakerJob) => Promise.resolve(driver.diarize(readSamples(job.samplesFile), job.bounds)));
