import type { AudioRef, BlobRef } from '../src/artifact.js';
import type { BatchCounts, BatchInput, BatchState, EpisodeReport } from '../src/batch.js';
import type { BreakerAlert, ProbeFailure } from '../src/breaker/state.js';
import type { EndpointSettings } from '../src/endpoint.js';
import type { EpisodeRef } from '../src/episode.js';
import type { PermitAnswer, PermitRequest, ReleasePermit } from '../src/messages.js';
import type { RunPlan, Tier } from '../src/run-plan.js';
import type { Stage, StageOutcome } from '../src/stage.js';

/*
 * The activities as workflows see them. Types only: no code of an activity may reach a workflow bundle.
 */

/** The few facts of a run that a stage needs beside its tier. */
export type RunFacts = Pick<
  RunPlan,
  | 'batchId'
  | 'runContext'
  | 'failureStrategy'
  | 'corpusDir'
  | 'transcriptCacheEnabled'
  | 'callBudgetPerEpisode'
  | 'coverageMin'
>;

/** What a stage hands on: where its main document is, and who made it. */
export interface StageOutput {
  readonly stage: Stage;
  readonly outcome: StageOutcome;
  /** Identity of the stage's artifact; its record in the store is found by it. */
  readonly key: string;
  readonly document: BlobRef;
  readonly optionId: string;
  readonly endpointId: string;
  readonly modelReported: string;
  readonly attempts: number;
  readonly degraded?: string;
  /** LLM calls the episode has made so far, by its durable count. */
  readonly llmCalls?: number;
}

export interface PrepareEpisodeInput {
  readonly facts: RunFacts;
  readonly episode: EpisodeRef;
  /** The chains of the enabled stages, in order. */
  readonly chains: readonly { readonly stage: Stage; readonly tiers: readonly Tier[] }[];
}

export interface PreparedEpisode {
  readonly audio: AudioRef;
  /** Stages whose artifact is there and valid, by the reuse rule of design.md section 8. */
  readonly finished: readonly StageOutput[];
}

/** The permit under which a stage's calls are sent. */
export interface PermitUse {
  readonly requestId: string;
  /** Granted for this very stage. A permit carried over from the stage before is checked first. */
  readonly fresh: boolean;
  /** Give it back as the last act of the activity. */
  readonly release: boolean;
  /** Canary or trial: one attempt only. */
  readonly single: boolean;
}

export interface StageInput {
  readonly facts: RunFacts;
  readonly episode: EpisodeRef;
  readonly audio: AudioRef;
  readonly tier: Tier;
  readonly tierIndex: number;
  /** `drainSec` of the endpoint: a re-send waits until the service is idle, at most so long. */
  readonly drainSec: number;
  readonly permit: PermitUse;
  /** Documents of the stages before. */
  readonly documents: Partial<Record<Stage, BlobRef>>;
}

export type StageActivityName = 'transcribe' | 'diarize' | 'summarize' | 'groundInsights' | 'buildKnowledgeGraph';

export type StageActivities = Record<StageActivityName, (input: StageInput) => Promise<StageOutput>>;

export interface EpisodeActivities extends StageActivities {
  /** Fetches and checks the audio, and looks up what is finished already. */
  prepareEpisode(input: PrepareEpisodeInput): Promise<PreparedEpisode>;
  /** Makes the episode readable in the corpus; `episode.json` last. */
  publishEpisode(input: {
    readonly facts: RunFacts;
    readonly episode: EpisodeRef;
    readonly report: EpisodeReport;
    readonly audio?: AudioRef;
    readonly outputs: readonly StageOutput[];
  }): Promise<void>;
}

/** Short messages to an endpoint's entity; local activities, so that they cost one marker each. */
export interface PermitActivities {
  acquirePermit(input: { readonly settings: EndpointSettings; readonly request: PermitRequest }): Promise<PermitAnswer>;
  releasePermit(input: { readonly endpointId: string; readonly release: ReleasePermit }): Promise<void>;
}

export interface EpisodeList {
  readonly manifest: BlobRef;
  readonly requested: number;
}

export interface BatchActivities {
  /** Profile, registry, configuration and overrides to one plan. Throws `InvalidInput` with every fault. */
  resolveRunPlan(input: { readonly batchId: string; readonly input: BatchInput }): Promise<RunPlan>;
  /** Checks each tier the plan may use; throws `Misconfigured` when a chosen tier cannot work, with all reasons. */
  preflight(input: { readonly plan: RunPlan }): Promise<{ readonly notes: readonly string[] }>;
  /** Reads the source; the list goes to the store, page by page. */
  listEpisodes(input: { readonly plan: RunPlan; readonly input: BatchInput }): Promise<EpisodeList>;
  readEpisodes(input: {
    readonly corpusDir: string;
    readonly manifest: BlobRef;
    readonly offset: number;
    readonly limit: number;
  }): Promise<readonly EpisodeRef[]>;
  /** Adds outcomes to the batch's record; the same page twice is one. */
  recordEpisodes(input: {
    readonly facts: RunFacts;
    readonly page: number;
    readonly reports: readonly EpisodeReport[];
  }): Promise<void>;
  /** Verifies the corpus and writes `<corpus>/batches/<batchId>.json`. */
  closeBatch(input: {
    readonly plan: RunPlan;
    readonly manifest: BlobRef;
    readonly counts: BatchCounts;
    readonly state: BatchState;
    readonly startedAtMs: number;
  }): Promise<{ readonly record: string; readonly findings: readonly string[] }>;
}

export interface EndpointActivities {
  /** One tiny real inference with its own deadline. Never throws but for cancellation. */
  probeEndpoint(input: { readonly settings: EndpointSettings }): Promise<{ readonly failure?: ProbeFailure }>;
  /** Waits until the service is proved idle, at most `forSec`; false at once where nothing proves it. */
  awaitIdle(input: { readonly settings: EndpointSettings; readonly forSec: number }): Promise<boolean>;
  isWorkflowRunning(input: { readonly workflowId: string }): Promise<boolean>;
  /** Guarded: a failing alert never fails work. */
  raiseAlert(input: { readonly endpointId: string; readonly alert: BreakerAlert }): Promise<void>;
}
