import type { PlanOrPlace, RunFacts } from '../activities/contracts.js';
import type { RunPlan } from '../src/run-plan.js';

export function factsOf({ batchId, corpusDir }: RunPlan): RunFacts {
  return { batchId, corpusDir };
}

/** By its digest where the store has it: a plan need not stand in a history twice. */
export function placeOf(plan: RunPlan): PlanOrPlace {
  return plan.digest === undefined ? plan : { corpusDir: plan.corpusDir, sha256: plan.digest };
}
