import { Context } from '@temporalio/activity';
import type { AudioRef } from '../src/artifact.js';
import type { StageReport } from '../src/batch.js';
import { episodeSchema, type EpisodeRef } from '../src/episode.js';
import type { RunPlan } from '../src/run-plan.js';
import { stages } from '../src/stage.js';
import { documentsFor, workOrderSchema, type StageDocuments, type WorkOrder } from '../src/work-order.js';
import type { ArtifactStore, StageRecord } from './artifact-store.js';
import { prepareAudio } from './audio/prepare-audio.js';
import type {
  EpisodeActivities,
  EpisodeUse,
  FinishedStage,
  PreparedEpisode,
  PublishInput,
  StageTrace,
} from './contracts.js';
import { planAt } from './plan/plan-at.js';
import { publishEpisode } from './corpus/publish-episode.js';
import { createCallBudget } from './stages/call-budget.js';
import { stageKey } from './stages/stage-identity.js';
import { blobOf } from './stages/stage-job.js';
import { findFinished, outputOf } from './stages/stage-work.js';
import { classified, ClassifiedError } from './throw-failure.js';

export interface EpisodeDependencies {
  readonly store: (corpusDir: string) => ArtifactStore;
  /** Found when first needed, so that a worker starts without waiting for it. */
  readonly ffmpegPath: () => Promise<string>;
}

/** What surrounds an episode's stages. */
export function createEpisodeActivities(
  deps: EpisodeDependencies,
): Pick<EpisodeActivities, 'prepareEpisode' | 'publishEpisode'> {
  const storeOf = (place: { readonly corpusDir: string }): ArtifactStore => deps.store(place.corpusDir);
  return {
    prepareEpisode: ({ episode, plan: place }) =>
      classified(async () => {
        const store = storeOf(place);
        const plan = await planAt(place, store);
        const audio = await audioOf(episode, { plan, store, deps });
        return prepared({ plan, episode, audio }, store);
      }, Context.current().cancellationSignal),
    publishEpisode: (input) =>
      classified(async () => {
        const place = 'episode' in input.of ? input.of.plan : input.of;
        return publish(input, storeOf(place));
      }, Context.current().cancellationSignal),
  };
}

interface Surroundings {
  readonly plan: RunPlan;
  readonly store: ArtifactStore;
  readonly deps: EpisodeDependencies;
}

async function audioOf({ document }: EpisodeRef, { plan, store, deps }: Surroundings): Promise<AudioRef> {
  const episode = await store.readJson(document, episodeSchema);
  return prepareAudio(
    { episode, documentSha256: document.sha256 },
    {
      corpusDir: plan.corpusDir,
      ffmpegPath: await deps.ffmpegPath(),
      cancellation: Context.current().cancellationSignal,
      heartbeat: (progress) => Context.current().heartbeat(progress),
    },
  );
}

async function prepared(order: WorkOrder, store: ArtifactStore): Promise<PreparedEpisode> {
  const { sha256 } = await store.put(JSON.stringify(order));
  return { order: sha256, durationSec: order.audio.durationSec, finished: await finishedStages(order, store) };
}

/** Stage after stage, as far as each one's input is known: what is missing makes what follows unknown. */
async function finishedStages(order: WorkOrder, store: ArtifactStore): Promise<FinishedStage[]> {
  const documents: StageDocuments = {};
  const finished: FinishedStage[] = [];
  for (const stage of stages.filter((one) => order.plan.stages[one].enabled)) {
    let found: FinishedStage | undefined;
    for (const tierIndex of order.plan.stages[stage].chain.keys()) {
      const record = found === undefined ? await recordOf(order, { stage, tierIndex, documents }, store) : undefined;
      if (record !== undefined) found = { stage, tierIndex, ...outputOf(record, 'reused') };
    }
    if (found === undefined) break;
    finished.push(found);
    documents[stage] = found.document;
  }
  return finished;
}

interface StageOfOrder extends Pick<FinishedStage, 'stage' | 'tierIndex'> {
  readonly documents: StageDocuments;
}

async function recordOf(
  { plan, episode, audio }: WorkOrder,
  { stage, tierIndex, documents }: StageOfOrder,
  store: ArtifactStore,
): Promise<StageRecord | undefined> {
  const tier = plan.stages[stage].chain[tierIndex];
  if (tier === undefined) return undefined;
  const material = { episode, audioSha256: audio.sha256, documents: documentsFor(stage, documents) };
  return findFinished(store, stageKey(stage, tier, material), plan);
}

async function publish(input: PublishInput, store: ArtifactStore): Promise<EpisodeUse> {
  const { of } = input;
  const order: Omit<WorkOrder, 'audio'> & { audio?: AudioRef } =
    'episode' in of
      ? { episode: of.episode, plan: await planAt(of.plan, store) }
      : await store.readJson(blobOf(of.sha256), workOrderSchema);
  const { plan, episode, audio } = order;
  const records = audio === undefined ? [] : await recordsOf({ plan, episode, audio }, input.stages, store);
  await publishEpisode(store, {
    episode: await store.readJson(episode.document, episodeSchema),
    document: episode.document,
    batchId: plan.batchId,
    posture: { runContext: plan.runContext, failureStrategy: plan.failureStrategy },
    state: input.state,
    reason: input.reason,
    stages: input.stages.map((trace) => reportOf(trace, records)),
    records,
    audio,
  });
  return { llmCalls: await createCallBudget({ plan, episode }).used() };
}

/** @throws ClassifiedError where an artifact that was made is not there any more */
async function recordsOf(
  order: WorkOrder,
  traces: readonly StageTrace[],
  store: ArtifactStore,
): Promise<StageRecord[]> {
  const documents: StageDocuments = {};
  const records: StageRecord[] = [];
  for (const { stage, tierIndex, document } of traces) {
    if (tierIndex === undefined || document === undefined) continue;
    const record = await recordOf(order, { stage, tierIndex, documents }, store);
    if (record === undefined) {
      throw new ClassifiedError('StoreUnavailable', `the artifact of ${stage} is gone or damaged; run the batch again`);
    }
    records.push(record);
    documents[stage] = document;
  }
  return records;
}

function reportOf({ stage, outcome, reason }: StageTrace, records: readonly StageRecord[]): StageReport {
  const provenance = records.find((record) => record.stage === stage)?.provenance;
  const why = reason === undefined ? {} : { reason };
  if (provenance === undefined) return { stage, outcome, ...why, attempts: 0 };
  const { optionId, endpointId, modelReported, attempts, rerolls } = provenance;
  const again = rerolls === undefined ? {} : { rerolls };
  return { stage, outcome, ...why, optionId, endpointId, modelReported, attempts, ...again };
}
