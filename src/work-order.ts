import { z } from 'zod';
import { audioRefSchema } from './artifact.js';
import { episodeRefSchema } from './episode.js';
import { runPlanSchema } from './run-plan.js';
import type { Stage } from './stage.js';

/**
 * Everything that an episode's stages have in common: written to the store once, when the audio is ready, and named by
 * its digest from then on, so that an episode's history does not hold it five times.
 */
export const workOrderSchema = z.strictObject({
  plan: runPlanSchema,
  episode: episodeRefSchema,
  audio: audioRefSchema,
});
export type WorkOrder = z.infer<typeof workOrderSchema>;

/** A document of the store by its digest. */
export interface StoredDocument {
  readonly corpusDir: string;
  readonly sha256: string;
}

/** Digests of the stages' documents so far. */
export type StageDocuments = Partial<Record<Stage, string>>;

/** What a stage reads of them: the words, with speakers where there are any. No text stage reads what another one made. */
export function documentsFor(stage: Stage, { transcribe, diarize }: StageDocuments): StageDocuments {
  if (stage === 'transcribe') return {};
  const transcript = transcribe === undefined ? {} : { transcribe };
  return stage === 'diarize' || diarize === undefined ? transcript : { diarize };
}
