import { z } from 'zod';

/** The five stages of an episode, in the order they run. */
export const stages = ['transcribe', 'diarize', 'summarize', 'gi', 'kg'] as const;
export const stageSchema = z.enum(stages);
export type Stage = z.infer<typeof stageSchema>;

/** The stages that send text to a language model; their chain cascades on any failure (RFC-106, RFC-089). */
export function isLlmStage(stage: Stage): boolean {
  return stage === 'summarize' || stage === 'gi' || stage === 'kg';
}

/**
 * What became of a stage: `executed` a model was called, `reused` a valid artifact of this batch was there,
 * `skipped` the plan leaves it out, `degraded` it finished with less than was asked for, `failed` it did not finish.
 */
export const stageOutcomes = ['executed', 'reused', 'skipped', 'degraded', 'failed'] as const;
export const stageOutcomeSchema = z.enum(stageOutcomes);
export type StageOutcome = z.infer<typeof stageOutcomeSchema>;
