import type { BatchCounts, BatchInput, BatchState, EpisodeReport } from '../../src/batch.js';
import type { BreakerAlert } from '../../src/breaker/state.js';
import type { BreakerView } from '../../src/breaker/view.js';
import type { EndpointChange, HaltNotice } from '../../src/messages.js';
import type { RunPlan } from '../../src/run-plan.js';
import type { Stage } from '../../src/stage.js';

/** A stretch of time, in ms since the epoch. */
export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

export const workKinds = ['audio', 'transcribe', 'diarize', 'summarize', 'gi', 'kg', 'publish'] as const;
/** `queued`: for a turn at a healthy endpoint; `held`: for an endpoint that is away. */
export const waitKinds = ['queued', 'held', 'halted', 'paused'] as const;
export type WorkKind = (typeof workKinds)[number];
export type WaitKind = (typeof waitKinds)[number];

/** What an episode did, or waited for, from one moment to the next. */
export interface Span extends Period {
  readonly kind: WorkKind | WaitKind;
  readonly endpointId?: string;
  readonly model?: string;
  /** Place in the stage's chain; 0 is the chosen model. */
  readonly tierIndex?: number;
  /** Attempts of the activity; absent while it has not told. */
  readonly attempts?: number;
  /** Where there were several attempts: when the last one began. What was before is retries and their waits. */
  readonly lastAttemptMs?: number;
  readonly end: 'completed' | 'failed' | 'cancelled' | 'open';
  /** Why it failed. */
  readonly reason?: string;
}

export interface EpisodeTimeline extends Period {
  readonly isOpen: boolean;
  readonly spans: readonly Span[];
}

/** `inWork`: its workflow runs. */
export type EpisodeStanding = EpisodeReport['state'] | 'inWork';

export interface EpisodeFacts extends Omit<EpisodeReport, 'state'> {
  readonly state: EpisodeStanding;
  /** Absent where its history is not in the server any more, or it has not begun. */
  readonly timeline?: EpisodeTimeline;
}

export interface StateSpan<S extends string = string> extends Period {
  readonly state: S;
}

export interface ProbeFact {
  readonly atMs: number;
  readonly ok: boolean;
  readonly reason?: string;
}

export interface AlertFact extends BreakerAlert {
  readonly atMs: number;
  readonly endpointId: string;
}

/** One endpoint during the batch, for all who use it. */
export interface EndpointFacts {
  readonly endpointId: string;
  readonly capacity: number;
  readonly circuits: readonly StateSpan[];
  readonly probes: readonly ProbeFact[];
  readonly alerts: readonly AlertFact[];
  /** What its entity answers now; absent where none does. */
  readonly view?: BreakerView;
  /** From when on its history is still there. */
  readonly knownFromMs?: number;
}

/** All that a report is made of. */
export interface ReportFacts extends BatchCounts {
  readonly batchId: string;
  readonly takenAtMs: number;
  readonly period: Period;
  readonly isOpen: boolean;
  /** Open, but no worker answers for it. */
  readonly isSilent?: true;
  readonly state: BatchState;
  /** One sentence. */
  readonly why: string;
  readonly states: readonly StateSpan[];
  readonly halts: readonly HaltNotice[];
  readonly waitsFor: readonly EndpointChange[];
  readonly findings: readonly string[];
  readonly notes: readonly string[];
  readonly input?: BatchInput;
  readonly plan?: RunPlan;
  readonly corpusDir?: string;
  readonly episodes: readonly EpisodeFacts[];
  readonly endpoints: readonly EndpointFacts[];
  /** What could not be had, in sentences. */
  readonly gaps: readonly string[];
}

export const stageOfActivity: Readonly<Record<string, WorkKind>> = {
  prepareEpisode: 'audio',
  transcribe: 'transcribe',
  diarize: 'diarize',
  summarize: 'summarize',
  groundInsights: 'gi',
  buildKnowledgeGraph: 'kg',
  publishEpisode: 'publish',
};

export function isStageKind(kind: Span['kind']): kind is Stage {
  return kind !== 'audio' && kind !== 'publish' && (workKinds as readonly string[]).includes(kind);
}
