import type { Stage } from './stage.js';

/** Everything an artifact depends on: change one and the stage runs anew. */
export interface StageIdentity {
  readonly stage: Stage;
  /** sha256 of each input (audio, transcript, ...), in the stage's own order. */
  readonly inputs: readonly string[];
  readonly optionId: string;
  /** Exact model id asked for. */
  readonly model: string;
  /** Version of our own code for the stage. */
  readonly methodVersion: string;
  readonly promptVersion?: string | undefined;
  /** Whatever else changes the result, e.g. the number of speakers asked for. */
  readonly settings?: string | undefined;
}

/**
 * The canonical text of a stage's identity; its sha256 is `StageRecord.key` (`stageKeyOf` in the artifact store).
 * A JSON array, so that no two identities read alike whatever characters they hold.
 */
export function stageIdentityText(identity: StageIdentity): string {
  return JSON.stringify([
    'holdfast-stage-1',
    identity.stage,
    identity.inputs,
    identity.optionId,
    identity.model,
    identity.methodVersion,
    identity.promptVersion ?? null,
    identity.settings ?? null,
  ]);
}
