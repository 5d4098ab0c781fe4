import type { EpisodeReport } from './batch.js';
import type { EpisodeRef } from './episode.js';
import type { BatchCarry } from './messages.js';

/** An episode's share of a batch's budget of LLM calls; an hour of talk needs about a third of it. */
const callsPerEpisode = 100;
const fewestCalls = 10_000;

/**
 * LLM calls that all episodes of a batch may make together: the plan's own figure, else 100 for each of `episodes`, and
 * at least 10,000 (ADR-113).
 */
export function callBudgetOfBatch(callBudgetPerBatch: number | undefined, episodes: number): number {
  return callBudgetPerBatch ?? Math.max(fewestCalls, callsPerEpisode * episodes);
}

/**
 * How an episode ends that is not started because the batch's budget is used up: as one does whose own budget is. A
 * later run under the same batch id can do it. Undefined while there is budget left: what has started has its own
 * limit (`callBudgetPerEpisode`).
 */
export function refusalForBudget(
  { plan, counts, llmCalls = 0 }: Pick<BatchCarry, 'plan' | 'counts' | 'llmCalls'>,
  { episodeId, feedId, title }: Pick<EpisodeRef, 'episodeId' | 'feedId' | 'title'>,
): EpisodeReport | undefined {
  const budget = callBudgetOfBatch(plan.callBudgetPerBatch, counts.requested);
  if (llmCalls < budget) return undefined;
  const reason = `not started: the batch's budget of ${budget} LLM calls is used up (call_budget_per_batch)`;
  return { episodeId, feedId, title, state: 'failed', failureType: 'CallBudgetExhausted', reason, stages: [] };
}
