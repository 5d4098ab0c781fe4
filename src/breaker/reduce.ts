import type { PermitRequest } from '../messages.js';
import { close, haltWaiting, notify, openFuses, toHalfOpen } from './circuit.js';
import { type Draft, patch, probeIntervalMs } from './draft.js';
import { isNewcomer, startsToWait, startsToWaitUntold } from './newcomer.js';
import { onCallFailed, onCallSucceeded, onHolderGone, onRelease } from './outcomes.js';
import { deny, dequeue, eligible, enqueue, grant, permitFor, settle } from './queue.js';
import type { BreakerEffect, BreakerEvent, BreakerState, ProbeFailure } from './state.js';
import { onTick, startProbe } from './wake.js';

/**
 * Next state of an endpoint, and what its entity has to do about it (design.md section 5). Pure: time arrives in the
 * event. The permit a caller asked for, if there is one at once, is the `grant` among the effects.
 */
export function reduceBreaker(
  state: BreakerState,
  event: BreakerEvent,
): { readonly state: BreakerState; readonly effects: readonly BreakerEffect[] } {
  const draft: Draft = { state, effects: [], nowMs: event.nowMs };
  apply(draft, event);
  settle(draft);
  return { state: draft.state, effects: draft.effects };
}

function apply(draft: Draft, event: BreakerEvent): void {
  switch (event.kind) {
    case 'acquire':
      return onAcquire(draft, event);
    case 'release':
      return onRelease(draft, event);
    case 'callFailed':
      return onCallFailed(draft, event.requestId, event.reason);
    case 'callSucceeded':
      return onCallSucceeded(draft, event.requestId);
    case 'probeEnded':
      return onProbeEnded(draft, event.failure);
    case 'tick':
      return onTick(draft);
    case 'adopted':
      return onAdopted(draft, event);
    case 'holderChecked':
    case 'drained':
    case 'undeliverable':
      return onHolderNews(draft, event);
    case 'episodeGone':
      return onEpisodeGone(draft, event.workflowId);
    case 'resumeBatch':
      return onResumeBatch(draft, event.batchWorkflowId);
    case 'configure':
      return onConfigure(draft, event.settings);
    case 'probeNow':
      return startProbe(draft);
    case 'isolate':
      patch(draft, { circuit: { kind: 'isolated', sinceMs: draft.nowMs, reason: event.reason } });
      return notify(draft);
    case 'reset':
      return close(draft, 1);
  }
}

function onAcquire(draft: Draft, { request, untold }: Extract<BreakerEvent, { kind: 'acquire' }>): void {
  const { circuit } = draft.state;
  const permit = draft.state.held.find((held) => held.request.requestId === request.requestId);
  if (permit !== undefined) {
    draft.effects.push({ kind: 'grant', permit });
    return;
  }
  if (request.strategy === 'failover' && circuit.kind !== 'closed') return onFailoverAcquire(draft, request);
  const isNew = isNewcomer(draft.state, request);
  enqueue(draft, request, 'tail');
  if (untold === true) startsToWaitUntold(draft, request, true);
  else startsToWait(draft, request, isNew);
}

/**
 * Failover never waits: it is turned away, but for one canary when nobody holds, after the cooldown or once a probe
 * got through. A halted batch holds nothing until its `resume`.
 */
function onFailoverAcquire(draft: Draft, request: PermitRequest): void {
  const { circuit, settings } = draft.state;
  const isDue =
    circuit.kind === 'halfOpen'
      ? circuit.canaryRequestId === undefined
      : circuit.kind === 'open' && draft.nowMs >= circuit.openedAtMs + 1000 * settings.cooldownSec;
  const isHeld = eligible(draft.state).some((waiting) => waiting.strategy === 'hold');
  const isFree = !isHeld && draft.state.held.length < settings.capacity;
  if (!isDue || !isFree) return deny(draft, request, `circuit ${circuit.kind}`);
  toHalfOpen(draft);
  if (draft.state.circuit.kind !== 'halfOpen') return;
  patch(draft, { circuit: { ...draft.state.circuit, canaryRequestId: request.requestId } });
  grant(draft, request, { canary: true, trial: false });
}

function onProbeEnded(draft: Draft, failure: ProbeFailure | undefined): void {
  const { circuit } = draft.state;
  patch(draft, {
    lastProbe: { atMs: draft.nowMs, ok: failure === undefined, ...(failure ? { reason: failure.reason } : {}) },
  });
  if (circuit.kind !== 'open') return;
  if (failure === undefined) return toHalfOpen(draft);
  const terminal = failure.terminalType !== undefined;
  const nextProbeAtMs = draft.nowMs + probeIntervalMs(draft.state);
  patch(draft, { circuit: { ...circuit, probing: false, terminal, nextProbeAtMs } });
  if (failure.terminalType === undefined) return openFuses(draft);
  haltWaiting(draft, { failureType: failure.terminalType, reason: failure.reason });
}

function onHolderNews(
  draft: Draft,
  event: Extract<BreakerEvent, { kind: 'holderChecked' | 'drained' | 'undeliverable' }>,
): void {
  const permit = draft.state.held.find((held) => held.request.requestId === event.requestId);
  if (permit === undefined) return;
  const rest = draft.state.held.filter((held) => held !== permit);
  if (event.kind === 'drained') {
    if (permit.drainUntilMs !== undefined) patch(draft, { held: rest });
    return;
  }
  if (event.kind === 'holderChecked' && event.running) return;
  onHolderGone(draft, permit);
  // A grant that never reached anybody was never used: its slot is free at once.
  if (event.kind === 'undeliverable') patch(draft, { held: rest });
}

function onAdopted(draft: Draft, found: Extract<BreakerEvent, { kind: 'adopted' }>): void {
  const { adopting, ...known } = draft.state;
  draft.state = known;
  const unknown = found.requests.filter(({ requestId }) =>
    known.held.every((permit) => permit.request.requestId !== requestId),
  );
  const adopted = unknown.map((request) => permitFor(draft, request, { canary: false, trial: false }));
  patch(draft, { held: [...known.held, ...adopted] });
  for (const request of found.waiting ?? []) enqueue(draft, request, 'tail');
}

function onEpisodeGone(draft: Draft, workflowId: string): void {
  for (const request of draft.state.queue.filter((waiting) => waiting.workflowId === workflowId)) {
    dequeue(draft, request.requestId);
  }
  for (const permit of draft.state.held.filter((held) => held.request.workflowId === workflowId)) {
    onHolderGone(draft, permit);
  }
}

/** An operator's `resume`: the wait clock starts anew, and the endpoint is asked at once. */
function onResumeBatch(draft: Draft, batchWorkflowId: string): void {
  const { [batchWorkflowId]: known, ...others } = draft.state.batches;
  const isWaiting = draft.state.queue.some((request) => request.batchWorkflowId === batchWorkflowId);
  const isOut = draft.state.circuit.kind === 'open' || draft.state.circuit.kind === 'halfOpen';
  const batches =
    isWaiting && isOut ? { ...others, [batchWorkflowId]: { clockStartMs: draft.nowMs, halted: false } } : others;
  patch(draft, { batches });
  if (isWaiting) startProbe(draft);
}

function onConfigure(draft: Draft, settings: BreakerState['settings']): void {
  const { circuit, settings: previous } = draft.state;
  const wasFull = circuit.kind === 'closed' && circuit.ramp >= previous.capacity;
  patch(draft, { settings, ...(wasFull ? { circuit: { ...circuit, ramp: settings.capacity } } : {}) });
}
