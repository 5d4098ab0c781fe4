import type { EndpointChange, HaltNotice, PermitRequest } from '../messages.js';
import { type Draft, count, haltsAtMs, holdWaiters, patch, probeIntervalMs } from './draft.js';
import type { BreakerAlert, BreakerState, Permit } from './state.js';

/** Everything the moves between circuit states have in common; who moves when is decided in `outcomes.ts`. */

const alertedReasonsKept = 50;

function alert(draft: Draft, alertToRaise: Omit<BreakerAlert, 'sinceMs'>, sinceMs: number): void {
  draft.effects.push({ kind: 'alert', alert: { ...alertToRaise, sinceMs } });
}

/** Once for each reason until the circuit closes. */
export function alertBlocked(draft: Draft, reason: string): void {
  if (draft.state.alertedReasons.includes(reason)) return;
  patch(draft, { alertedReasons: [...draft.state.alertedReasons, reason].slice(-alertedReasonsKept) });
  alert(draft, { kind: 'blocked', reason }, draft.nowMs);
}

/** Tells each waiting batch, and its waiters, where the circuit is now. Not for each probe. */
export function notify(draft: Draft): void {
  const { state } = draft;
  const waiters = holdWaiters(state);
  const batchIds = new Set([...Object.keys(state.batches), ...waiters.map((request) => request.batchWorkflowId)]);
  for (const batchWorkflowId of batchIds) {
    const mine = waiters.filter((request) => request.batchWorkflowId === batchWorkflowId);
    const change = changeFor(state, batchWorkflowId);
    const workflowIds = [...new Set([batchWorkflowId, ...mine.map((request) => request.workflowId)])];
    draft.effects.push({ kind: 'notify', workflowIds, change });
  }
}

/** Where the circuit is, for the waiters of one batch. */
export function changeFor(state: BreakerState, batchWorkflowId: string): EndpointChange {
  const { circuit } = state;
  const haltAtMs = haltsAtMs(state, batchWorkflowId);
  return {
    endpointId: state.settings.endpointId,
    circuit: circuit.kind,
    sinceMs: 'firstTrippedAtMs' in circuit ? circuit.firstTrippedAtMs : circuit.sinceMs,
    ...('reason' in circuit ? { reason: circuit.reason } : {}),
    ...(haltAtMs === undefined ? {} : { haltsAtMs: haltAtMs }),
    ...(circuit.kind === 'open' && !circuit.terminal ? { probeIntervalSec: probeIntervalMs(state) / 1000 } : {}),
    ...('suspects' in circuit && circuit.suspects.length > 0 ? { suspectInputs: [...circuit.suspects] } : {}),
  };
}

/** A batch's wait clock starts with its first waiter in the outage. */
export function startWaiting(draft: Draft, request: PermitRequest): void {
  if (request.strategy !== 'hold' || draft.state.batches[request.batchWorkflowId] !== undefined) return;
  const waiting = { clockStartMs: draft.nowMs, halted: false };
  patch(draft, { batches: { ...draft.state.batches, [request.batchWorkflowId]: waiting } });
}

/** To open, for the first time in this outage. */
export function trip(draft: Draft, cause: { reason: string; owner: Permit; terminal: boolean }): void {
  patch(draft, {
    generation: draft.state.generation + 1,
    recentFailuresMs: [],
    circuit: {
      kind: 'open',
      firstTrippedAtMs: draft.nowMs,
      openedAtMs: draft.nowMs,
      nextProbeAtMs: draft.nowMs + probeIntervalMs(draft.state),
      probing: false,
      terminal: cause.terminal,
      reason: cause.reason,
      suspects: [],
      ownerWorkflowId: cause.owner.request.workflowId,
    },
  });
  count(draft, 'trips');
  for (const request of holdWaiters(draft.state)) startWaiting(draft, request);
  if (cause.terminal) alertBlocked(draft, cause.reason);
  else alert(draft, { kind: 'trip', reason: cause.reason }, draft.nowMs);
  notify(draft);
}

/** From half-open back to open: the outage goes on as if it had never been interrupted, and nobody is paged again. */
export function reopen(draft: Draft, canary: Permit): void {
  const { circuit } = draft.state;
  if (circuit.kind !== 'halfOpen') return;
  const { workflowId } = canary.request;
  patch(draft, {
    circuit: {
      kind: 'open',
      firstTrippedAtMs: circuit.firstTrippedAtMs,
      reason: circuit.reason,
      ownerWorkflowId: circuit.ownerWorkflowId,
      suspects: [...circuit.suspects.filter((suspect) => suspect !== workflowId), workflowId],
      openedAtMs: draft.nowMs,
      nextProbeAtMs: draft.nowMs + probeIntervalMs(draft.state),
      probing: false,
      terminal: false,
    },
  });
  notify(draft);
  openFuses(draft);
}

/** Leaves the canary's place free unless one is named. */
export function toHalfOpen(draft: Draft): void {
  const { circuit } = draft.state;
  if (circuit.kind !== 'open') return;
  const { firstTrippedAtMs, reason, suspects, ownerWorkflowId } = circuit;
  patch(draft, {
    generation: draft.state.generation + 1,
    circuit: { kind: 'halfOpen', sinceMs: draft.nowMs, firstTrippedAtMs, reason, suspects, ownerWorkflowId },
  });
}

export function vacateCanary(draft: Draft): void {
  const { circuit } = draft.state;
  if (circuit.kind !== 'halfOpen') return;
  const { canaryRequestId, ...rest } = circuit;
  patch(draft, { circuit: rest });
}

/** To closed. `ramp` is how many calls may be in flight at first. Halted batches stay halted until their `resume`. */
export function close(draft: Draft, ramp: number): void {
  const previous = draft.state.circuit;
  patch(draft, {
    generation: draft.state.generation + 1,
    circuit: { kind: 'closed', ramp, rampSuccesses: 0, sinceMs: draft.nowMs },
    recentFailuresMs: [],
    alertedReasons: [],
  });
  if (previous.kind === 'open' || previous.kind === 'halfOpen') {
    alert(draft, { kind: 'recovered', reason: previous.reason }, previous.firstTrippedAtMs);
  }
  notify(draft);
  const halted = Object.entries(draft.state.batches).filter(([, batch]) => batch.halted);
  patch(draft, { batches: Object.fromEntries(halted) });
}

/** After a failed probe, never on a bare timer: halts every batch that has waited out its limit, once. */
export function openFuses(draft: Draft): void {
  for (const batchWorkflowId of Object.keys(draft.state.batches)) {
    const limitMs = haltsAtMs(draft.state, batchWorkflowId);
    if (limitMs === undefined || draft.nowMs < limitMs) continue;
    haltBatch(draft, batchWorkflowId, {
      failureType: 'ResilienceFuseOpen',
      reason: 'the endpoint did not recover in time',
    });
    const { circuit } = draft.state;
    const sinceMs = 'firstTrippedAtMs' in circuit ? circuit.firstTrippedAtMs : draft.nowMs;
    const reason = 'reason' in circuit ? circuit.reason : 'no answer';
    alert(draft, { kind: 'fuseOpen', reason, batchWorkflowId }, sinceMs);
  }
}

/** Waiting cannot help: every batch that waits here is told at once. */
export function haltWaiting(draft: Draft, why: Pick<HaltNotice, 'failureType' | 'reason'>): void {
  for (const batchWorkflowId of Object.keys(draft.state.batches)) {
    if (haltsAtMs(draft.state, batchWorkflowId) !== undefined) haltBatch(draft, batchWorkflowId, why);
  }
}

function haltBatch(draft: Draft, batchWorkflowId: string, why: Pick<HaltNotice, 'failureType' | 'reason'>): void {
  const batch = draft.state.batches[batchWorkflowId];
  if (batch === undefined) return;
  patch(draft, { batches: { ...draft.state.batches, [batchWorkflowId]: { ...batch, halted: true } } });
  const notice: HaltNotice = { endpointId: draft.state.settings.endpointId, ...why };
  draft.effects.push({ kind: 'halt', batchWorkflowId, notice });
}
