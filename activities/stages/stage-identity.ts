import type { BlobRef } from '../../src/artifact.js';
import type { Tier } from '../../src/run-plan.js';
import { isLlmStage, type Stage } from '../../src/stage.js';
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

/** What a stage is made from: the audio's digest and the documents of the stages it reads, in this order. */
export function stageInputs(
  stage: Stage,
  audioSha256: string,
  documents: Partial<Record<Stage, Pick<BlobRef, 'sha256'>>>,
): readonly string[] {
  if (stage === 'transcribe') return [audioSha256];
  const transcript = documents.transcribe?.sha256;
  if (stage === 'diarize') return [audioSha256, ...(transcript === undefined ? [] : [transcript])];
  const spoken = documents.diarize?.sha256 ?? transcript;
  const summary = isLlmStage(stage) && stage !== 'summarize' ? documents.summarize?.sha256 : undefined;
  return [spoken, summary].filter((digest) => digest !== undefined);
}

/** Key of the stage's artifact in the store: the same for the same input, option, model and code. */
export function stageKey(stage: Stage, tier: Tier, inputs: readonly string[]): string {
  const { optionId, model } = tier;
  return stageKeyOf({ stage, inputs, optionId, model, ...stageVersions(stage, tier) });
}
