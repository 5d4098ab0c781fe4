import { Context } from '@temporalio/activity';
import type { AudioRef } from '../../src/artifact.js';
import { blobPath } from '../../src/corpus-layout.js';
import type { EpisodeRef } from '../../src/episode.js';
import { permitRequestId } from '../../src/messages.js';
import type { RunPlan, Tier } from '../../src/run-plan.js';
import type { Stage } from '../../src/stage.js';
import { workOrderSchema, type StageDocuments } from '../../src/work-order.js';
import type { ArtifactStore } from '../artifact-store.js';
import type { PermitUse, StageInput } from '../contracts.js';
import { ClassifiedError } from '../throw-failure.js';

/** A stage's input with everything that it names looked up. */
export interface StageJob {
  readonly plan: RunPlan;
  readonly episode: EpisodeRef;
  readonly audio: AudioRef;
  readonly tier: Tier;
  readonly tierIndex: number;
  /** Of the endpoint: a re-send waits until the service is idle, at most so long. */
  readonly drainSec: number;
  readonly permit: Omit<PermitUse, 'number'> & { readonly requestId: string };
  readonly documents: StageDocuments;
}

/** @throws ClassifiedError, StoreError */
export async function loadJob(stage: Stage, input: StageInput, store: ArtifactStore): Promise<StageJob> {
  const { plan, episode, audio } = await store.readJson(blobOf(input.order.sha256), workOrderSchema);
  const { tierIndex, documents } = input;
  const tier = plan.stages[stage].chain[tierIndex];
  const settings = tier === undefined ? undefined : plan.endpoints[tier.endpointId];
  if (tier === undefined || settings === undefined) {
    throw new ClassifiedError('InvalidInput', `the plan has no tier ${tierIndex} for ${stage}`);
  }
  const { workflowExecution } = Context.current().info;
  if (workflowExecution === undefined) throw new ClassifiedError('InvalidInput', 'a stage runs for an episode only');
  const { number, ...use } = input.permit;
  const permit = { ...use, requestId: permitRequestId(workflowExecution, number) };
  return { plan, episode, audio, tier, tierIndex, drainSec: settings.drainSec, permit, documents };
}

/** A document of the store by its digest; how long it is, only the file knows. */
export function blobOf(sha256: string): { uri: string; sha256: string; bytes: number } {
  return { uri: blobPath(sha256), sha256, bytes: 0 };
}
