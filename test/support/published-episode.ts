import type { PublishEpisodeInput } from '../../activities/corpus/publish-episode.js';
import { publishEpisode } from '../../activities/corpus/publish-episode.js';
import type { ArtifactStore, StageRecord } from '../../activities/artifact-store.js';
import { stageKeyOf } from '../../activities/store/digest.js';
import type { ArtifactName, BlobRef, Provenance } from '../../src/artifact.js';
import { filesOfStage } from '../../src/episode-record.js';
import type { Episode } from '../../src/episode.js';
import type { Stage } from '../../src/stage.js';
import { isLlmStage, stages } from '../../src/stage.js';
import { artifactTexts } from './artifact-texts.js';
import { provenanceOf } from './provenance.js';

export const audioSha256 = 'a'.repeat(64);

/** What the tests of the corpus change of a healthy five-stage episode. */
export interface EpisodeChanges {
  readonly episodeId?: string;
  readonly batchId?: string;
  readonly state?: 'done' | 'failed';
  readonly stages?: readonly Stage[];
  readonly provenance?: Partial<Provenance>;
  readonly provenanceOf?: Partial<Record<Stage, Partial<Provenance>>>;
  readonly outcome?: PublishEpisodeInput['stages'][number]['outcome'];
  /** What is said in the episode, so that one run's files differ from another's. */
  readonly text?: string;
  /** Contents in place of the valid ones. */
  readonly files?: Partial<Record<ArtifactName, string>>;
}

/** Publishes an episode as a healthy hold run would, with `changes`. */
export async function publish(store: ArtifactStore, changes: EpisodeChanges = {}): Promise<PublishEpisodeInput> {
  const input = await publishInput(store, changes);
  await publishEpisode(store, input);
  return input;
}

export async function publishInput(store: ArtifactStore, changes: EpisodeChanges = {}): Promise<PublishEpisodeInput> {
  const { episodeId = 'e1', batchId = 'batch-1', state = 'done' } = changes;
  const episode: Episode = {
    episodeId,
    feedId: 'show-abc123',
    feedTitle: 'Show',
    title: `Episode ${episodeId}`,
    audioUrl: 'https://x.example/a.mp3?token=secret',
    people: [],
  };
  const ran = changes.stages ?? stages;
  const records = await Promise.all(ran.map((stage) => recordOf(store, stage, { episode, changes, batchId })));
  return {
    episode,
    document: await store.put(JSON.stringify(episode)),
    batchId,
    posture: { runContext: 'reprocess', failureStrategy: 'hold' },
    state,
    ...(state === 'failed' ? { reason: 'The endpoint rejected the audio.' } : {}),
    stages: records.map(({ stage, provenance }) => ({
      stage,
      outcome: changes.outcome ?? 'executed',
      optionId: provenance.optionId,
      endpointId: provenance.endpointId,
      modelReported: provenance.modelReported,
      attempts: 1,
    })),
    records,
    audio: { path: '/home/me/a.mp3', sha256: audioSha256, bytes: 10, durationSec: 12.5, format: 'mp3' },
  };
}

async function recordOf(
  store: ArtifactStore,
  stage: Stage,
  about: { readonly episode: Episode; readonly changes: EpisodeChanges; readonly batchId: string },
): Promise<StageRecord> {
  const { episode, changes, batchId } = about;
  const isText = isLlmStage(stage);
  const spoken = await store.put(`the ${episode.episodeId} diarize document`);
  const provenance = provenanceOf({
    stage,
    optionId: `${stage}-option`,
    batchId,
    inputs: [isText ? spoken.sha256 : audioSha256],
    ...changes.provenance,
    ...changes.provenanceOf?.[stage],
  });
  const { optionId, inputs } = provenance;
  const key = stageKeyOf({ stage, inputs, optionId, model: 'm', methodVersion: '1' });
  const texts = artifactTexts(episode, changes.text ?? 'Trails last when water leaves them.');
  const blobs: Record<string, BlobRef> = { document: await store.put(`the ${episode.episodeId} ${stage} document`) };
  for (const name of filesOfStage[stage]) blobs[name] = await store.put(changes.files?.[name] ?? texts[name]);
  return { stage, key, batchId: provenance.batchId, blobs, provenance };
}
