import type { RunFacts } from '../activities/contracts.js';
import type { RunPlan } from '../src/run-plan.js';

export function factsOf(plan: RunPlan): RunFacts {
  const { batchId, runContext, failureStrategy, corpusDir } = plan;
  const { transcriptCacheEnabled, callBudgetPerEpisode, coverageMin } = plan;
  return { batchId, runContext, failureStrategy, corpusDir, transcriptCacheEnabled, callBudgetPerEpisode, coverageMin };
}
