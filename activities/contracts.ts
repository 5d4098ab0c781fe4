import type { BlobRef } from '../src/artifact.js';
import type { BatchCounts, BatchInput, BatchState, EpisodeReport } from '../src/batch.js';
import type { BreakerAlert, ProbeFailure } from '../src/breaker/state.js';
import type { EndpointSettings } from '../src/endpoint.js';
import type { EpisodeRef } from '../src/episode.js';
import type { PermitAnswer, PermitRequest, ReleasePermit } from '../src/messages.js';
import type { RunPlan } from '../src/run-plan.js';
import type { Stage, StageOutcome } from '../src/stage.js';
import type { StageDocuments, StoredDocument } from '../src/work-order.js';

/*
 * The activities as workflows see them. Types only: no code of an activity may reach a workflow bundle.
 */

/** The few facts of a run that its book-keeping needs. */
export type RunFacts = Pick<RunPlan, 'batchId' | 'corpusDir'>;

/** What a stage hands on: the digest of its document, and who made it. Kept small: it goes into every history. */
export interface StageOutput {
  readonly outcome: StageOutcome;
  readonly document: string;
  readonly modelReported: string;
  readonly attempts: number;
  /** Of the attempts: calls that invalid answers made necessary; absent: none. */
  readonly rerolls?: number;
  readonly degraded?: string;
}

/** A stage that was finished before. */
export interface FinishedStage extends StageOutput {
  readonly stage: Stage;
  readonly tierIndex: number;
}

/** A plan, or where it is in the store. */
export type PlanOrPlace = RunPlan | StoredDocument;

export interface PreparedEpisode {
  /** Digest of the `WorkOrder` in the store. */
  readonly order: string;
  readonly durationSec: number;
  /** Stages whose artifact is there and valid, by the reuse rule of design.md section 8. */
  readonly finished: readonly FinishedStage[];
}

/** The permit under which a stage's calls are sent. */
export interface PermitUse {
  /** Of the episode's requests (`permitRequestId`). */
  readonly number: number;
  /** Granted for this very stage. A permit carried over from the stage before is checked first. */
  readonly fresh: boolean;
  /** Give it back as the last act of the activity. */
  readonly release: boolean;
  /** Canary or trial: one attempt only. */
  readonly single: boolean;
}

export interface StageInput {
  /** The episode's `WorkOrder`. */
  readonly order: StoredDocument;
  readonly tierIndex: number;
  readonly permit: PermitUse;
  /** Documents of the stages before, as far as this one reads them. */
  readonly documents: StageDocuments;
}

export type StageActivityName = 'transcribe' | 'diarize' | 'summarize' | 'groundInsights' | 'buildKnowledgeGraph';

export type StageActivities = Record<StageActivityName, (input: StageInput) => Promise<StageOutput>>;

export interface EpisodeActivities extends StageActivities {
  /** Fetches and checks the audio, and looks up what is finished already. */
  prepareEpisode(input: { readonly episode: EpisodeRef; readonly plan: PlanOrPlace }): Promise<PreparedEpisode>;
  /** Makes the episode readable in the corpus; `episode.json` last. Answers what the episode has used up. */
  publishEpisode(input: PublishInput): Promise<EpisodeUse>;
}

export interface PublishInput {
  /** The episode's work order; without one (its audio could not be had) the episode and its plan. */
  readonly of: StoredDocument | { readonly episode: EpisodeRef; readonly plan: PlanOrPlace };
  readonly state: 'done' | 'failed';
  readonly reason?: string;
  readonly stages: readonly StageTrace[];
}

export interface EpisodeUse {
  /** LLM calls of the episode in this batch, by its durable count. */
  readonly llmCalls: number;
}

/** One stage as it went, by reference. */
export interface StageTrace {
  readonly stage: Stage;
  readonly outcome: StageOutcome;
  readonly reason?: string;
  readonly tierIndex?: number;
  readonly document?: string;
}

/** Short messages to an endpoint's entity; local activities, so that they cost one marker each. */
export interface PermitActivities {
  acquirePermit(input: {
    readonly endpointId: string;
    readonly request: PermitRequest;
    /** Where the endpoint's settings are, should its entity have to be started. */
    readonly plan: PlanOrPlace;
  }): Promise<PermitAnswer>;
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
  /** Permits of this endpoint that running episodes have in hand, by their own word; none where nobody can be asked. */
  findHolders(input: {
    readonly endpointId: string;
  }): Promise<{ readonly requests: readonly PermitRequest[]; readonly waiting: readonly PermitRequest[] }>;
  isWorkflowRunning(input: { readonly workflowId: string }): Promise<boolean>;
  /** Guarded: a failing alert never fails work. */
  raiseAlert(input: { readonly endpointId: string; readonly alert: BreakerAlert }): Promise<void>;
}
