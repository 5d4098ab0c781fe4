import type { ReleasePermit } from '../messages.js';
import { alertBlocked, close, haltWaiting, reopen, trip, vacateCanary } from './circuit.js';
import { type Draft, count, patch } from './draft.js';
import { isNewcomer, startsToWait, startsToWaitUntold } from './newcomer.js';
import { dequeue, enqueue } from './queue.js';
import { type BreakerEvent, type Permit, holderGraceSec } from './state.js';

/** What a returned permit, or a report on the way, does to the circuit (design.md sections 4 and 5). */

const releasedIdsKept = 60;

function isCanary(draft: Draft, permit: Permit): boolean {
  const { circuit } = draft.state;
  return circuit.kind === 'halfOpen' && circuit.canaryRequestId === permit.request.requestId;
}

function isOwner(draft: Draft, permit: Permit): boolean {
  const { circuit } = draft.state;
  return circuit.kind === 'suspect' && circuit.ownerRequestId === permit.request.requestId;
}

/** The canary got through: whoever failed in its place is tried once more, alone, before its input is blamed. */
function recover(draft: Draft, canary: Permit): void {
  const { circuit } = draft.state;
  const suspects = circuit.kind === 'halfOpen' ? circuit.suspects : [];
  const trials = suspects.filter((workflowId) => workflowId !== canary.request.workflowId);
  close(draft, 1);
  patch(draft, {
    trials,
    held: draft.state.held.map((permit) =>
      permit.request.requestId === canary.request.requestId
        ? { ...permit, canary: false, generation: draft.state.generation }
        : permit,
    ),
  });
}

export function onSuccess(draft: Draft, permit: Permit): void {
  const { circuit, settings } = draft.state;
  if (isCanary(draft, permit)) return recover(draft, permit);
  if (isOwner(draft, permit)) return toClosedAgain(draft, settings.capacity);
  if (circuit.kind !== 'closed') return;
  const rampSuccesses = circuit.rampSuccesses + 1;
  const grows = rampSuccesses >= circuit.ramp && circuit.ramp < settings.capacity;
  const ramp = grows ? Math.min(settings.capacity, circuit.ramp * 2) : circuit.ramp;
  patch(draft, { recentFailuresMs: [], circuit: { ...circuit, ramp, rampSuccesses: grows ? 0 : rampSuccesses } });
}

/** From suspect back to closed: there was no outage, so no generation passes and nobody is told. */
function toClosedAgain(draft: Draft, ramp: number): void {
  patch(draft, { circuit: { kind: 'closed', ramp, rampSuccesses: 0, sinceMs: draft.nowMs } });
}

/** The endpoint answered, whatever it answered. */
function onAlive(draft: Draft, permit: Permit): void {
  if (isCanary(draft, permit)) recover(draft, permit);
  else if (isOwner(draft, permit)) toClosedAgain(draft, draft.state.settings.capacity);
}

/** Alive, but a canary that was put off has proved no recovery: the place stays open until the pause is over. */
function onPaced(draft: Draft, permit: Permit): void {
  if (isCanary(draft, permit)) vacateCanary(draft);
  else onAlive(draft, permit);
}

/** Nothing was learned: the next in line takes the place. */
function onReturned(draft: Draft, permit: Permit): void {
  if (isCanary(draft, permit)) vacateCanary(draft);
  else if (isOwner(draft, permit)) toClosedAgain(draft, 1);
}

function onExhausted(draft: Draft, permit: Permit, release: ReleasePermit): void {
  const { circuit, settings } = draft.state;
  if (isCanary(draft, permit)) return reopen(draft, permit);
  if (permit.trial || (circuit.kind !== 'closed' && circuit.kind !== 'suspect')) return;
  const reason = release.reason ?? 'no answer';
  if (permit.request.strategy === 'failover' && release.hardTimeout !== true) {
    const fromMs = draft.nowMs - 1000 * settings.failureWindowSec;
    const recentFailuresMs = [...draft.state.recentFailuresMs.filter((atMs) => atMs > fromMs), draft.nowMs];
    patch(draft, { recentFailuresMs });
    if (recentFailuresMs.length < settings.failureThreshold) return;
  }
  trip(draft, { reason, owner: permit, terminal: false });
}

function onTerminal(draft: Draft, permit: Permit, release: ReleasePermit): void {
  const { circuit } = draft.state;
  const reason = release.reason ?? 'the account is refused';
  if (circuit.kind === 'halfOpen') reopen(draft, permit);
  else if (circuit.kind !== 'closed' && circuit.kind !== 'suspect') return;
  else trip(draft, { reason, owner: permit, terminal: true });
  if (draft.state.circuit.kind === 'open')
    patch(draft, { circuit: { ...draft.state.circuit, terminal: true, reason } });
  alertBlocked(draft, reason);
  haltWaiting(draft, { failureType: 'AccountTerminal', reason });
}

function applyOutcome(draft: Draft, permit: Permit, release: ReleasePermit): void {
  switch (release.outcome) {
    case 'succeeded':
      return onSuccess(draft, permit);
    case 'returned':
      return onReturned(draft, permit);
    case 'rejected':
      return onAlive(draft, permit);
    case 'paced':
      return onPaced(draft, permit);
    case 'exhausted':
      return onExhausted(draft, permit, release);
    case 'terminal':
      return onTerminal(draft, permit, release);
    case 'misconfigured':
      onAlive(draft, permit);
      return alertBlocked(draft, release.reason ?? 'misconfigured');
  }
}

/** Keeps the slot of a call that nobody waits for any more until it has truly ended. */
function freeOrDrain(draft: Draft, permit: Permit, drainSec: number): void {
  const { requestId } = permit.request;
  const rest = draft.state.held.filter((other) => other.request.requestId !== requestId);
  if (drainSec <= 0) return patch(draft, { held: rest });
  patch(draft, { held: [...rest, { ...permit, drainUntilMs: draft.nowMs + 1000 * drainSec }] });
}

export function onRelease(draft: Draft, { release, untold }: Extract<BreakerEvent, { kind: 'release' }>): void {
  const { requestId, requeue } = release;
  const isNew = requeue !== undefined && isNewcomer(draft.state, requeue);
  const permit = draft.state.held.find(
    (held) => held.request.requestId === requestId && held.drainUntilMs === undefined,
  );
  dequeue(draft, requestId);
  if (release.outcome === 'paced') {
    patch(draft, { pacedUntilMs: Math.max(draft.state.pacedUntilMs, draft.nowMs + (release.pacedForMs ?? 0)) });
  }
  if (requeue !== undefined) {
    enqueue(draft, requeue, 'head');
    if (untold === true) startsToWaitUntold(draft, requeue, false);
    else startsToWait(draft, requeue, isNew);
  }
  if (permit === undefined) return onLateRelease(draft, release);
  count(draft, 'releases');
  patch(draft, { releasedIds: [...draft.state.releasedIds, requestId].slice(-releasedIdsKept) });
  const drainSec = release.mayStillCompute === true ? draft.state.settings.drainSec : 0;
  freeOrDrain(draft, permit, drainSec);
  if (drainSec > 0) draft.effects.push({ kind: 'awaitIdle', requestId, forSec: drainSec });
  if (permit.generation === draft.state.generation) applyOutcome(draft, permit, release);
  else count(draft, 'stale');
}

/**
 * Of a permit that is not out. Where its holder vanished and the slot is only kept until the call has ended, this is
 * the call saying so.
 */
function onLateRelease(draft: Draft, { requestId, mayStillCompute }: ReleasePermit): void {
  const isDuplicate = draft.state.releasedIds.includes(requestId);
  count(draft, isDuplicate ? 'duplicates' : 'stale');
  const draining = draft.state.held.find((held) => held.request.requestId === requestId);
  if (isDuplicate || draining === undefined) return;
  freeOrDrain(draft, draining, mayStillCompute === true ? draft.state.settings.drainSec : 0);
}

/** The first failed attempt of a hold ladder: from here on only its caller may knock. */
export function onCallFailed(draft: Draft, requestId: string, reason: string): void {
  const permit = draft.state.held.find((held) => held.request.requestId === requestId);
  const { circuit } = draft.state;
  if (permit === undefined || permit.generation !== draft.state.generation || permit.trial) return;
  if (circuit.kind !== 'closed' || permit.request.strategy !== 'hold') return;
  patch(draft, { circuit: { kind: 'suspect', ownerRequestId: requestId, sinceMs: draft.nowMs, reason } });
}

export function onCallSucceeded(draft: Draft, requestId: string): void {
  const permit = draft.state.held.find((held) => held.request.requestId === requestId);
  if (permit?.generation === draft.state.generation) onSuccess(draft, permit);
}

/** A holder that will never report. Its activity, if one still runs, hears of it at its next heartbeat. */
export function onHolderGone(draft: Draft, permit: Permit): void {
  if (permit.drainUntilMs !== undefined) return;
  freeOrDrain(draft, permit, holderGraceSec + draft.state.settings.drainSec);
  if (permit.generation === draft.state.generation) onReturned(draft, permit);
}
