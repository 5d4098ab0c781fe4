import type { Episode } from '../../src/episode.js';
import type { GiArtifact } from '../../src/insights.js';
import type { KgArtifact } from '../../src/knowledge-graph.js';
import type { SummaryArtifact } from '../../src/summary.js';
import type { Transcript } from '../../src/transcript.js';

export interface TextEngineInput {
  readonly episode: Episode;
  /** With speakers (`SPEAKER_nn`) where the episode was diarized. */
  readonly transcript: Transcript;
}

/** An artifact and what its provenance needs to know. */
export interface TextResult<T> {
  readonly artifact: T;
  /** Calls really sent, re-rolls included. */
  readonly calls: number;
  /** Why it is less than was asked for, in one sentence. */
  readonly degraded?: string;
  /** The model as the answers name it. */
  readonly modelReported: string;
  readonly promptVersion?: string;
  readonly methodVersion: string;
  readonly method: 'model' | 'extractive';
}

/**
 * The three text stages. Each method throws `InvalidAnswerError` when the model's answers cannot be used, and passes on
 * whatever a call itself throws (endpoint failures, budget, cancellation) untouched.
 */
export interface TextEngine {
  summarize(input: TextEngineInput): Promise<TextResult<SummaryArtifact>>;
  insights(input: TextEngineInput): Promise<TextResult<GiArtifact>>;
  knowledgeGraph(input: TextEngineInput): Promise<TextResult<KgArtifact>>;
}

/** Versions of our own code for the text stages; raise one when its artifacts would come out differently. */
export const methodVersions = {
  model: 'llm-text/2',
  extractive: 'extractive-text/2',
} as const;
