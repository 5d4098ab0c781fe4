import { Context } from '@temporalio/activity';
import { episodeSchema } from '../src/episode.js';
import type { Stage } from '../src/stage.js';
import type { BlobRef } from '../src/artifact.js';
import type { ArtifactStore, StageRecord } from './artifact-store.js';
import { prepareAudio } from './audio/prepare-audio.js';
import type { EpisodeActivities, PrepareEpisodeInput, PreparedEpisode, StageOutput } from './contracts.js';
import { publishEpisode } from './corpus/publish-episode.js';
import { stageKey } from './stages/stage-identity.js';
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
  return {
    prepareEpisode: async (input) => {
      const { cancellationSignal } = Context.current();
      return classified(() => prepare(input, deps), cancellationSignal);
    },
    publishEpisode: async ({ facts, episode, report, audio, outputs }) => {
      const { cancellationSignal } = Context.current();
      await classified(async () => {
        const store = deps.store(facts.corpusDir);
        const records = await Promise.all(outputs.map((output) => recordOf(store, output, facts)));
        await publishEpisode(store, {
          episode: await store.readJson(episode.document, episodeSchema),
          document: episode.document,
          batchId: facts.batchId,
          posture: { runContext: facts.runContext, failureStrategy: facts.failureStrategy },
          state: report.state === 'done' ? 'done' : 'failed',
          reason: report.reason,
          stages: report.stages,
          records,
          audio,
        });
      }, cancellationSignal);
    },
  };
}

async function prepare(input: PrepareEpisodeInput, deps: EpisodeDependencies): Promise<PreparedEpisode> {
  const context = Context.current();
  const { facts } = input;
  const store = deps.store(facts.corpusDir);
  const { document } = input.episode;
  const episode = await store.readJson(document, episodeSchema);
  const audio = await prepareAudio(
    { episode, documentSha256: document.sha256 },
    {
      corpusDir: facts.corpusDir,
      ffmpegPath: await deps.ffmpegPath(),
      cancellation: context.cancellationSignal,
      heartbeat: (progress) => context.heartbeat(progress),
    },
  );
  return { audio, finished: await finishedStages(input, store, audio.sha256) };
}

/** Stage after stage, as far as each one's input is known: what is missing makes what follows unknown. */
async function finishedStages(
  { facts, chains, episode }: PrepareEpisodeInput,
  store: ArtifactStore,
  audioSha256: string,
): Promise<StageOutput[]> {
  const documents: Partial<Record<Stage, BlobRef>> = {};
  const finished: StageOutput[] = [];
  for (const { stage, tiers } of chains) {
    const material = { episode, audioSha256, documents };
    let record: StageRecord | undefined;
    for (const tier of tiers) record ??= await findFinished(store, stageKey(stage, tier, material), { facts });
    if (record === undefined) break;
    const output = outputOf(record, 'reused');
    finished.push(output);
    documents[stage] = output.document;
  }
  return finished;
}

async function recordOf(
  store: ArtifactStore,
  output: StageOutput,
  facts: PrepareEpisodeInput['facts'],
): Promise<StageRecord> {
  const record = await findFinished(store, output.key, { facts });
  if (record !== undefined) return record;
  throw new ClassifiedError(
    'StoreUnavailable',
    `the artifact of ${output.stage} is gone or damaged; run the batch again`,
  );
}
