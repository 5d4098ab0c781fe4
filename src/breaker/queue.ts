import type { PermitRequest } from '../messages.js';
import { type Draft, count, patch } from './draft.js';
import { type BreakerState, type Permit, firstLeaseSec } from './state.js';

function isSameClass(a: PermitRequest, b: PermitRequest): boolean {
  return a.runContext === b.runContext;
}

/** Serve goes before reprocess; within a class first come, first served, but for those who gave a permit back. */
export function enqueue(draft: Draft, request: PermitRequest, place: 'head' | 'tail'): void {
  const { queue, held } = draft.state;
  const known = [...queue, ...held.map((permit) => permit.request)].some(
    (other) => other.requestId === request.requestId,
  );
  if (known) return;
  const own = queue.filter((other) => isSameClass(other, request));
  const others = queue.filter((other) => !isSameClass(other, request));
  const mine = place === 'head' ? [request, ...own] : [...own, request];
  patch(draft, { queue: request.runContext === 'serve' ? [...mine, ...others] : [...others, ...mine] });
}

export function dequeue(draft: Draft, requestId: string): void {
  patch(draft, { queue: draft.state.queue.filter((request) => request.requestId !== requestId) });
}

export function deny(draft: Draft, request: PermitRequest, reason: string): void {
  dequeue(draft, request.requestId);
  count(draft, 'denied');
  draft.effects.push({ kind: 'deny', request, reason });
}

/** A permit that is out, whoever granted it. */
export function permitFor(draft: Draft, request: PermitRequest, role: { canary: boolean; trial: boolean }): Permit {
  return {
    request,
    ...role,
    generation: draft.state.generation,
    grantedAtMs: draft.nowMs,
    leaseSec: firstLeaseSec,
    leaseUntilMs: draft.nowMs + 1000 * firstLeaseSec,
  };
}

export function grant(draft: Draft, request: PermitRequest, role: { canary: boolean; trial: boolean }): void {
  dequeue(draft, request.requestId);
  const permit = permitFor(draft, request, role);
  patch(draft, { held: [...draft.state.held, permit] });
  count(draft, 'grants');
  draft.effects.push({ kind: 'grant', permit });
}

function mayCallNow(state: BreakerState, nowMs: number, limit: number): boolean {
  return (
    state.adopting === undefined &&
    nowMs >= state.pacedUntilMs &&
    state.held.length < Math.min(state.settings.capacity, limit)
  );
}

/** Waiters whose batch is not halted. */
export function eligible(state: BreakerState): readonly PermitRequest[] {
  return state.queue.filter((request) => state.batches[request.batchWorkflowId]?.halted !== true);
}

/** The owner of the outage first, then whoever has not failed as canary yet, then the one whose failure is longest ago. */
function nextCanary(state: BreakerState): PermitRequest | undefined {
  const { circuit } = state;
  if (circuit.kind !== 'halfOpen') return undefined;
  const waiting = eligible(state);
  const untried = waiting.filter((request) => !circuit.suspects.includes(request.workflowId));
  return (
    untried.find((request) => request.workflowId === circuit.ownerWorkflowId) ??
    untried[0] ??
    [...waiting].sort((a, b) => circuit.suspects.indexOf(a.workflowId) - circuit.suspects.indexOf(b.workflowId))[0]
  );
}

function grantOne(draft: Draft): boolean {
  const { state } = draft;
  const { circuit } = state;
  if (circuit.kind === 'halfOpen') {
    const canary = nextCanary(state);
    const isFree = circuit.canaryRequestId === undefined && mayCallNow(state, draft.nowMs, Infinity);
    if (!isFree || canary === undefined) return false;
    patch(draft, { circuit: { ...circuit, canaryRequestId: canary.requestId } });
    grant(draft, canary, { canary: true, trial: false });
    return true;
  }
  if (circuit.kind !== 'closed' || !mayCallNow(state, draft.nowMs, circuit.ramp)) return false;
  const request = eligible(state)[0];
  if (request === undefined) return false;
  const trial = state.trials.includes(request.workflowId);
  patch(draft, { trials: state.trials.filter((workflowId) => workflowId !== request.workflowId) });
  grant(draft, request, { canary: false, trial });
  return true;
}

/** After every event: failover never waits for a circuit; the rest get what may be granted. */
export function settle(draft: Draft): void {
  const { circuit } = draft.state;
  if (circuit.kind !== 'closed') {
    for (const request of draft.state.queue.filter((waiting) => waiting.strategy === 'failover')) {
      deny(draft, request, `circuit ${circuit.kind}`);
    }
  }
  while (grantOne(draft)) {
    // Each round grants one request.
  }
}
