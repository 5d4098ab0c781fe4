import { type Draft, count, haltsAtMs, holdWaiters, patch } from './draft.js';
import { type BreakerState, longestLeaseSec } from './state.js';

/** When the next probe is due: at its interval, or at the limit of a batch that would otherwise give up unprobed. */
function probeDueAtMs(state: BreakerState): number | undefined {
  const { circuit } = state;
  if (circuit.kind !== 'open' || circuit.probing || circuit.terminal || holdWaiters(state).length === 0)
    return undefined;
  const limitsMs = Object.keys(state.batches).flatMap((batchWorkflowId) => haltsAtMs(state, batchWorkflowId) ?? []);
  return Math.min(circuit.nextProbeAtMs, ...limitsMs);
}

/** When the entity must look again by itself; undefined: not before somebody calls. */
export function nextWakeAtMs(state: BreakerState): number | undefined {
  const times: number[] = [];
  const probeAtMs = probeDueAtMs(state);
  if (probeAtMs !== undefined) times.push(probeAtMs);
  for (const permit of state.held) {
    if (permit.drainUntilMs !== undefined) times.push(permit.drainUntilMs);
    else if (state.queue.length > 0) times.push(permit.leaseUntilMs);
  }
  if (state.queue.length > 0 && state.pacedUntilMs > 0) times.push(state.pacedUntilMs);
  return times.length > 0 ? Math.min(...times) : undefined;
}

export function onTick(draft: Draft): void {
  const { nowMs } = draft;
  const probeAtMs = probeDueAtMs(draft.state);
  if (probeAtMs !== undefined && nowMs >= probeAtMs) startProbe(draft);
  patch(draft, {
    held: draft.state.held.filter((permit) => permit.drainUntilMs === undefined || permit.drainUntilMs > nowMs),
    pacedUntilMs: draft.state.pacedUntilMs > nowMs ? draft.state.pacedUntilMs : 0,
  });
  if (draft.state.queue.length > 0) checkLeases(draft);
}

export function startProbe(draft: Draft): void {
  const { circuit } = draft.state;
  if (circuit.kind !== 'open' || circuit.probing) return;
  patch(draft, { circuit: { ...circuit, probing: true, terminal: false } });
  count(draft, 'probes');
  draft.effects.push({ kind: 'probe' });
}

/** Asks after each holder whose lease has run out, and again after twice as long. */
function checkLeases(draft: Draft): void {
  const held = draft.state.held.map((permit) => {
    if (permit.drainUntilMs !== undefined || permit.leaseUntilMs > draft.nowMs) return permit;
    const { requestId, workflowId } = permit.request;
    draft.effects.push({ kind: 'checkHolder', requestId, workflowId });
    const leaseSec = Math.min(longestLeaseSec, 2 * permit.leaseSec);
    return { ...permit, leaseSec, leaseUntilMs: draft.nowMs + 1000 * leaseSec };
  });
  patch(draft, { held });
}
