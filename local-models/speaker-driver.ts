import { OfflineSpeakerDiarization, SpeakerEmbeddingExtractor } from 'sherpa-onnx-node';
import { sampleRateHz } from './audio.js';
import { tidyTurns, type SpeakerTurn } from './speaker-turns.js';
import { regroupByVoice, unit, type Voice } from './voice-regrouping.js';

export interface SpeakerDriverConfig {
  readonly segmentationPath: string;
  readonly embeddingPath: string;
  readonly threads: number;
  /** Distance above which two voices are two speakers; default 0.6. */
  readonly threshold: number;
}

/** How many speakers to find: exactly so many, or as many as there are within the bounds. */
export interface SpeakerBounds {
  readonly exact?: number;
  readonly min: number;
  readonly max: number;
}

export interface SpeakerDriver {
  /** @param samples mono, 16 kHz. Answers no turns when nobody speaks. */
  diarize(samples: Float32Array, bounds: SpeakerBounds): SpeakerTurn[];
}

const countByThreshold = -1;
/** Shorter stretches of speech and of silence are noise. Seconds. */
const minDurationOn = 0.3;
const minDurationOff = 0.5;
/** A voice is told by this much speech. Seconds. */
const voiceWindowSec = 1.5;
const voiceStepSec = 0.5;

/** @throws Error when a model cannot be loaded */
export function createSpeakerDriver(config: SpeakerDriverConfig): SpeakerDriver {
  const { threads: numThreads, threshold, segmentationPath, embeddingPath } = config;
  const embedding = { model: embeddingPath, numThreads };
  const extractor = new SpeakerEmbeddingExtractor(embedding);
  const library = new OfflineSpeakerDiarization({
    segmentation: { pyannote: { model: segmentationPath }, numThreads },
    embedding,
    clustering: { numClusters: countByThreshold, threshold },
    minDurationOn,
    minDurationOff,
  });
  return {
    diarize: (samples, bounds) => {
      const segments = library.process(samples);
      if (segments.length === 0) return [];
      const turns = segments.map(({ start, end, speaker }) => ({ startSec: start, endSec: end, speaker }));
      const counted = new Set(turns.map(({ speaker }) => speaker)).size;
      const speakers = bounds.exact ?? Math.min(Math.max(counted, bounds.min), bounds.max);
      return tidyTurns(regroupByVoice(turns, voicesOf(extractor, samples), speakers));
    },
  };
}

function voicesOf(extractor: SpeakerEmbeddingExtractor, samples: Float32Array): Voice[] {
  const window = voiceWindowSec * sampleRateHz;
  const step = voiceStepSec * sampleRateHz;
  const count = Math.max(0, Math.floor((samples.length - window) / step) + 1);
  return Array.from({ length: count }, (_, index) => {
    const stream = extractor.createStream();
    stream.acceptWaveform({ samples: samples.slice(index * step, index * step + window), sampleRate: sampleRateHz });
    stream.inputFinished();
    const atSec = index * voiceStepSec + voiceWindowSec / 2;
    return { atSec, embedding: unit(Array.from(extractor.compute(stream, false))) };
  });
}
