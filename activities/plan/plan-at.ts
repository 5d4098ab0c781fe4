import { runPlanSchema, type RunPlan } from '../../src/run-plan.js';
import type { ArtifactStore } from '../artifact-store.js';
import type { PlanOrPlace } from '../contracts.js';
import { blobOf } from '../stages/stage-job.js';

/** The plan itself, wherever it is. @throws StoreError */
export async function planAt(place: PlanOrPlace, store: ArtifactStore): Promise<RunPlan> {
  return 'sha256' in place ? store.readJson(blobOf(place.sha256), runPlanSchema) : place;
}
