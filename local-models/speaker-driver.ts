import { OfflineSpeakerDiarization } from 'sherpa-onnx-node';
import { tidyTurns, type SpeakerTurn } from './speaker-turns.js';

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

/** @throws Error when a model cannot be loaded */
export function createSpeakerDriver(config: SpeakerDriverConfig): SpeakerDriver {
  const { threads: numThreads, threshold } = config;
  const library = new OfflineSpeakerDiarization({
    segmentation: { pyannote: { model: config.segmentationPath }, numThreads },
    embedding: { model: config.embeddingPath, numThreads },
    clustering: { numClusters: countByThreshold, threshold },
    minDurationOn,
    minDurationOff,
  });
  const cluster = (samples: Float32Array, numClusters: number): SpeakerTurn[] => {
    library.setConfig({ clustering: { numClusters, threshold } });
    const segments = library.process(samples);
    return tidyTurns(segments.map(({ start, end, speaker }) => ({ startSec: start, endSec: end, speaker })));
  };
  return {
    diarize: (samples, bounds) => {
      if (bounds.exact !== undefined) return cluster(samples, bounds.exact);
      const turns = cluster(samples, countByThreshold);
      const counted = new Set(turns.map(({ speaker }) => speaker)).size;
      const wanted = Math.min(Math.max(counted, bounds.min), bounds.max);
      return counted === 0 || counted === wanted ? turns : cluster(samples, wanted);
    },
  };
}
