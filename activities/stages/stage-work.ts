import { Context } from '@temporalio/activity';
import type { BlobRef, Provenance } from '../../src/artifact.js';
import { episodeSchema, type Episode } from '../../src/episode.js';
import type { WireShape } from '../../src/endpoint.js';
import type { RunPlan } from '../../src/run-plan.js';
import type { Stage } from '../../src/stage.js';
import type { ArtifactStore, StageRecord } from '../artifact-store.js';
import type { StageInput, StageOutput } from '../contracts.js';
import { loadJob, type StageJob } from './stage-job.js';
import type { ProviderClient } from '../providers/provider.js';
import { serviceOf } from '../providers/service.js';
import { classified, ClassifiedError, toApplicationFailure } from '../throw-failure.js';
import type { Attempt, AttemptServices } from './attempt.js';
import { Ladder, type LadderDependencies } from './ladder.js';
import { stageInputs, stageKey, stageVersions, type StageMaterial } from './stage-identity.js';

export interface StageDependencies extends LadderDependencies {
  readonly clients: Partial<Record<WireShape, ProviderClient>>;
  /** Looks up a key by the name of its environment variable. */
  readonly apiKey: (envName: string) => string | undefined;
  readonly store: (corpusDir: string) => ArtifactStore;
}

/** What a stage's own code needs. */
export interface StageContext extends AttemptServices {
  readonly stage: Stage;
  readonly input: StageJob;
  readonly store: ArtifactStore;
  readonly episode: Episode;
  readonly nowIso: string;
  /** Of the artifact in the store. */
  readonly key: string;
}

/** What a stage's own code made. */
export interface StageMade {
  /** The document that later stages read. */
  readonly document: string;
  /** Files to publish, by their names in the corpus. */
  readonly files: Readonly<Record<string, string>>;
  /** Further documents, e.g. the speakers that came with a transcript. */
  readonly extras?: Readonly<Record<string, string>>;
  readonly modelReported: string;
  readonly modelReportedBy: Provenance['modelReportedBy'];
  readonly method: Provenance['method'];
  readonly degraded?: string;
  /** Calls that invalid answers made necessary. */
  readonly rerolls?: number;
  /** Told once the artifact is in the store. */
  readonly afterSaving?: () => Promise<void>;
}

export type MakeStage = (context: StageContext, attempt: Attempt) => Promise<StageMade>;

/** Runs one attempt of a stage: reuses what is finished, else makes it under the ladder, stores it, and answers where. */
export async function runStageActivity(
  stage: Stage,
  input: StageInput,
  run: { readonly deps: StageDependencies; readonly make: MakeStage },
): Promise<StageOutput> {
  const { cancellationSignal } = Context.current();
  const store = run.deps.store(input.order.corpusDir);
  const job = await classified(() => loadJob(stage, input, store), cancellationSignal);
  const ladder = new Ladder(job, run.deps);
  try {
    return await runJob(job, { ...run, stage, store, ladder });
  } catch (error) {
    throw cancellationSignal.aborted ? error : toApplicationFailure(error);
  } finally {
    ladder.stop();
  }
}

interface JobRun {
  readonly stage: Stage;
  readonly store: ArtifactStore;
  readonly ladder: Ladder;
  readonly deps: StageDependencies;
  readonly make: MakeStage;
}

async function runJob(job: StageJob, { stage, store, ladder, deps, make }: JobRun): Promise<StageOutput> {
  const material = materialOf(job);
  const key = stageKey(stage, job.tier, material);
  const finished = await findFinished(store, key, job.plan);
  if (finished !== undefined) {
    await ladder.leaveUnused();
    return outputOf(finished, Context.current().info.attempt > 1 ? 'executed' : 'reused');
  }
  const services = servicesOf(job, deps);
  const episode = await store.readJson(job.episode.document, episodeSchema);
  const nowIso = new Date(deps.nowMs()).toISOString();
  const context: StageContext = { ...services, stage, input: job, store, episode, nowIso, key };
  return ladder.attempt(services, async (attempt) => {
    const made = await make(context, attempt);
    return save(context, { made, inputs: stageInputs(stage, material), attempts: attempt.callsSoFar() });
  });
}

export function materialOf({ episode, audio, documents }: StageJob): StageMaterial {
  return { episode, audioSha256: audio.sha256, documents };
}

/** A stage's record by the reuse rule: this batch's own always, another batch's only where the plan allows it. */
export function findFinished(
  store: ArtifactStore,
  key: string,
  { batchId, transcriptCacheEnabled }: Pick<RunPlan, 'batchId' | 'transcriptCacheEnabled'>,
): Promise<StageRecord | undefined> {
  return store.findStage({ key, batchId, acrossBatches: transcriptCacheEnabled });
}

function servicesOf(input: StageJob, deps: StageDependencies): AttemptServices {
  const { tier } = input;
  const client = deps.clients[tier.wire];
  if (client === undefined) throw new ClassifiedError('Misconfigured', `no client for wire shape ${tier.wire}`);
  if (tier.apiKeyEnv === undefined) return { client, service: serviceOf(tier) };
  const apiKey = deps.apiKey(tier.apiKeyEnv);
  if (apiKey === undefined || apiKey === '') {
    throw new ClassifiedError('TierUnusable', `${tier.optionId}: no key, ${tier.apiKeyEnv} is not set for the worker`);
  }
  return { client, service: serviceOf(tier), apiKey };
}

interface Saving {
  readonly made: StageMade;
  readonly inputs: readonly string[];
  readonly attempts: number;
}

async function save(context: StageContext, saving: Saving): Promise<StageOutput> {
  const { store, input, stage, key } = context;
  const { made } = saving;
  const contents = { document: made.document, ...made.extras, ...made.files };
  const blobs: Record<string, BlobRef> = {};
  for (const [name, content] of Object.entries(contents)) blobs[name] = await store.put(content);
  const record: StageRecord = {
    stage,
    key,
    batchId: input.plan.batchId,
    blobs,
    provenance: provenanceOf(context, saving),
  };
  await store.saveStage(record);
  await made.afterSaving?.();
  return outputOf(record, made.degraded === undefined ? 'executed' : 'degraded');
}

function provenanceOf({ input, stage, nowIso }: StageContext, { made, inputs, attempts }: Saving): Provenance {
  const { plan, tier, tierIndex } = input;
  return {
    stage,
    batchId: plan.batchId,
    runContext: plan.runContext,
    failureStrategy: plan.failureStrategy,
    optionId: tier.optionId,
    tierIndex,
    provider: tier.provider,
    endpointId: tier.endpointId,
    modelRequested: tier.model,
    modelReported: made.modelReported,
    modelReportedBy: made.modelReportedBy,
    method: made.method,
    ...stageVersions(stage, tier),
    attempts,
    ...(made.rerolls === undefined || made.rerolls === 0 ? {} : { rerolls: made.rerolls }),
    inputs: [...inputs],
    ...(made.degraded === undefined ? {} : { degraded: made.degraded }),
    createdAt: nowIso,
  };
}

/** @throws ClassifiedError where the record has no document */
export function outputOf(record: StageRecord, outcome: StageOutput['outcome']): StageOutput {
  const { stage, blobs, provenance } = record;
  const { document } = blobs;
  if (document === undefined) throw new ClassifiedError('StoreUnavailable', `the record of ${stage} has no document`);
  const { modelReported, attempts, rerolls, degraded } = provenance;
  const less = { ...(rerolls === undefined ? {} : { rerolls }), ...(degraded === undefined ? {} : { degraded }) };
  return { outcome, document: document.sha256, modelReported, attempts, ...less };
}
