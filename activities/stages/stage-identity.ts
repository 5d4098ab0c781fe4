import type { Tier } from '../../src/run-plan.js';
import type { EpisodeRef } from '../../src/episode.js';
import type { Stage } from '../../src/stage.js';
import { textFiguresOf } from '../../src/text-figures.js';
import type { StageDocuments } from '../../src/work-order.js';
import { stageKeyOf } from '../store/digest.js';
import { methodVersions } from '../text/engine.js';
import { promptVersions } from '../text/prompts/prompt-versions.js';

/** Versions of our own code for the speech stages; raise one when its artifacts would come out differently. */
const speechMethodVersions = { transcribe: 'transcribe/1', diarize: 'diarize/1' } as const;

/** What a stage's code and prompts are called in identity and provenance. */
export function stageVersions(
  stage: Stage,
  tier: Pick<Tier, 'wire'>,
): { methodVersion: string; promptVersion?: string } {
  if (stage === 'transcribe' || stage === 'diarize') return { methodVersion: speechMethodVersions[stage] };
  if (tier.wire === 'local-extractive') return { methodVersion: methodVersions.extractive };
  return { methodVersion: methodVersions.model, promptVersion: promptVersions[stage] };
}

/** What a stage is made of: the episode, its audio, and the documents of the stages before. */
export interface StageMaterial {
  readonly episode: Pick<EpisodeRef, 'episodeId' | 'document'>;
  readonly audioSha256: string;
  readonly documents: StageDocuments;
}

/** Digests of what a stage reads, in this order. Text stages read the episode's own words (title, show notes) too. */
export function stageInputs(stage: Stage, { episode, audioSha256, documents }: StageMaterial): readonly string[] {
  if (stage === 'transcribe') return [audioSha256];
  const transcript = documents.transcribe;
  if (stage === 'diarize') return [audioSha256, ...(transcript === undefined ? [] : [transcript])];
  const spoken = documents.diarize ?? transcript;
  return [spoken, episode.document.sha256].filter((digest) => digest !== undefined);
}

/** Key of the stage's artifact in the store: the same for the same input, option, model and code. */
export function stageKey(stage: Stage, tier: Tier, material: StageMaterial): string {
  const { optionId, model } = tier;
  const inputs = stageInputs(stage, material);
  const settings = stageSettings(stage, tier, material);
  return stageKeyOf({ stage, inputs, optionId, model, ...stageVersions(stage, tier), settings });
}

/** What else an artifact depends on. */
function stageSettings(stage: Stage, tier: Tier, { episode }: StageMaterial): string | undefined {
  // Its RTTM names the episode: two episodes of the same audio must not share it.
  if (stage === 'diarize') return episode.episodeId;
  const figures = Object.entries(textFiguresOf(tier.settings)).sort(([a], [b]) => (a < b ? -1 : 1));
  return figures.length === 0 ? undefined : JSON.stringify(figures);
}
