import { Context } from '@temporalio/activity';
import type { BlobRef, Provenance } from '../../src/artifact.js';
import { episodeSchema, type Episode } from '../../src/episode.js';
import type { WireShape } from '../../src/endpoint.js';
import type { Stage } from '../../src/stage.js';
import type { ArtifactStore, StageRecord } from '../artifact-store.js';
import type { StageInput, StageOutput } from '../contracts.js';
import type { ProviderClient } from '../providers/provider.js';
import { serviceOf } from '../providers/service.js';
import { ClassifiedError, toApplicationFailure } from '../throw-failure.js';
import { Ladder, type Attempt, type AttemptServices, type LadderDependencies } from './ladder.js';
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
  readonly input: StageInput;
  readonly store: ArtifactStore;
  readonly episode: Episode;
  readonly nowIso: string;
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
  readonly llmCalls?: number;
}

export type MakeStage = (context: StageContext, attempt: Attempt) => Promise<StageMade>;

/** Runs one attempt of a stage: reuses what is finished, else makes it under the ladder, stores it, and answers where. */
export async function runStageActivity(
  stage: Stage,
  input: StageInput,
  run: { readonly deps: StageDependencies; readonly make: MakeStage },
): Promise<StageOutput> {
  const { deps, make } = run;
  const ladder = new Ladder(input, deps);
  try {
    const store = deps.store(input.facts.corpusDir);
    const material = materialOf(input);
    const key = stageKey(stage, input.tier, material);
    const finished = await findFinished(store, key, input);
    if (finished !== undefined) {
      await ladder.leaveUnused();
      return outputOf(finished, Context.current().info.attempt > 1 ? 'executed' : 'reused');
    }
    const services = servicesOf(input, deps);
    const episode = await store.readJson(input.episode.document, episodeSchema);
    const nowIso = new Date(deps.nowMs()).toISOString();
    const context: StageContext = { ...services, stage, input, store, episode, nowIso };
    return await ladder.attempt(services, async (attempt) => {
      const made = await make(context, attempt);
      return save(context, { made, key, inputs: stageInputs(stage, material), attempts: attempt.callsSoFar() });
    });
  } catch (error) {
    ladder.stop();
    throw Context.current().cancellationSignal.aborted ? error : toApplicationFailure(error);
  }
}

export function materialOf({ episode, audio, documents }: StageInput): StageMaterial {
  return { episode, audioSha256: audio.sha256, documents };
}

/** A stage's record by the reuse rule: this batch's own always, another batch's only where the plan allows it. */
export function findFinished(
  store: ArtifactStore,
  key: string,
  { facts }: Pick<StageInput, 'facts'>,
): Promise<StageRecord | undefined> {
  return store.findStage({ key, batchId: facts.batchId, acrossBatches: facts.transcriptCacheEnabled });
}

function servicesOf(input: StageInput, deps: StageDependencies): AttemptServices {
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
  readonly key: string;
  readonly inputs: readonly string[];
  readonly attempts: number;
}

async function save(context: StageContext, saving: Saving): Promise<StageOutput> {
  const { store, input, stage } = context;
  const { made, key } = saving;
  const contents = { document: made.document, ...made.extras, ...made.files };
  const blobs: Record<string, BlobRef> = {};
  for (const [name, content] of Object.entries(contents)) blobs[name] = await store.put(content);
  const record: StageRecord = {
    stage,
    key,
    batchId: input.facts.batchId,
    blobs,
    provenance: provenanceOf(context, saving),
  };
  await store.saveStage(record);
  const output = outputOf(record, made.degraded === undefined ? 'executed' : 'degraded');
  return made.llmCalls === undefined ? output : { ...output, llmCalls: made.llmCalls };
}

function provenanceOf({ input, stage, nowIso }: StageContext, { made, inputs, attempts }: Saving): Provenance {
  const { facts, tier, tierIndex } = input;
  return {
    stage,
    batchId: facts.batchId,
    runContext: facts.runContext,
    failureStrategy: facts.failureStrategy,
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
    inputs: [...inputs],
    ...(made.degraded === undefined ? {} : { degraded: made.degraded }),
    createdAt: nowIso,
  };
}

/** @throws ClassifiedError where the record has no document */
export function outputOf(record: StageRecord, outcome: StageOutput['outcome']): StageOutput {
  const { stage, key, blobs, provenance } = record;
  const { document } = blobs;
  if (document === undefined) throw new ClassifiedError('StoreUnavailable', `the record of ${stage} has no document`);
  const { optionId, endpointId, modelReported, attempts, degraded } = provenance;
  const less = degraded === undefined ? {} : { degraded };
  return { stage, outcome, key, document, optionId, endpointId, modelReported, attempts, ...less };
}
