import type { PermitRequest } from '../messages.js';
import type { BreakerEffect, BreakerState } from './state.js';

/** One event's working copy: the state is replaced, never changed in place; effects pile up in order. */
export interface Draft {
  state: BreakerState;
  readonly effects: BreakerEffect[];
  readonly nowMs: number;
}

export function patch(draft: Draft, change: Partial<BreakerState>): void {
  draft.state = { ...draft.state, ...change };
}

export function count(draft: Draft, counter: keyof BreakerState['counters']): void {
  patch(draft, { counters: { ...draft.state.counters, [counter]: draft.state.counters[counter] + 1 } });
}

export function holdWaiters(state: BreakerState): readonly PermitRequest[] {
  return state.queue.filter((request) => request.strategy === 'hold');
}

/** The smallest interval that a holder asks for, else the endpoint's own. */
export function probeIntervalMs(state: BreakerState): number {
  const asked = holdWaiters(state).flatMap((request) => request.probeIntervalSec ?? []);
  return 1000 * (asked.length > 0 ? Math.min(...asked) : state.settings.probeIntervalSec);
}

/**
 * When `batchWorkflowId` halts unless the endpoint recovers; undefined when it has no waiters or is halted, and while an
 * operator keeps the endpoint isolated: that is no outage.
 */
export function haltsAtMs(state: BreakerState, batchWorkflowId: string): number | undefined {
  const batch = state.batches[batchWorkflowId];
  const limitsSec = holdWaiters(state)
    .filter((request) => request.batchWorkflowId === batchWorkflowId)
    .map((request) => request.onOpenMaxWaitSec);
  if (batch === undefined || batch.halted || limitsSec.length === 0 || state.circuit.kind === 'isolated')
    return undefined;
  return batch.clockStartMs + 1000 * Math.min(...limitsSec);
}
