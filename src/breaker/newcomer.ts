import type { PermitRequest } from '../messages.js';
import { notify, startWaiting } from './circuit.js';
import { type Draft, patch } from './draft.js';
import type { BreakerEvent, BreakerState } from './state.js';

/** Whoever begins to wait: its batch is told where the circuit is, whether it came before the outage or during it. */

/** Nobody of its batch is here, in the queue or at work: it knows nothing of the circuit, or is another run of that id. */
export function isNewcomer({ queue, held }: BreakerState, { batchWorkflowId }: PermitRequest): boolean {
  const atWork = held.filter((permit) => permit.drainUntilMs === undefined).map((permit) => permit.request);
  return [...queue, ...atWork].every((other) => other.batchWorkflowId !== batchWorkflowId);
}

/** Calls are let through again only after a probe, or by an operator. */
function isOut({ circuit }: BreakerState): boolean {
  return circuit.kind === 'open' || circuit.kind === 'halfOpen' || circuit.kind === 'isolated';
}

/** Of a request that is in the queue now. `isNew` is what `isNewcomer` said before it was. */
export function startsToWait(draft: Draft, request: PermitRequest, isNew: boolean): void {
  const { [request.batchWorkflowId]: known, ...others } = draft.state.batches;
  // A halted batch leaves its halt behind when it is aborted; its next run has nothing to do with that.
  if (isNew && known?.halted === true) patch(draft, { batches: others });
  if (request.strategy !== 'hold' || !isOut(draft.state)) return;
  startWaiting(draft, request);
  if (isNew || known === undefined) notify(draft);
}

/** As runs did whose history began before 2026-11-30 16:00: some newcomers were not told. */
export function startsToWaitUntold(draft: Draft, request: PermitRequest, isTold: boolean): void {
  const { kind } = draft.state.circuit;
  if (kind !== 'open' && kind !== 'halfOpen') return;
  const isFirst = draft.state.batches[request.batchWorkflowId] === undefined;
  startWaiting(draft, request);
  if (isTold && isFirst) notify(draft);
}

/** Whether an old history may have gone another way at this event. */
export function wasOnceUntold(state: BreakerState, event: BreakerEvent): boolean {
  const request = waiterOf(event);
  if (request === undefined) return false;
  const known = state.batches[request.batchWorkflowId];
  const isNew = isNewcomer(state, request);
  if (isNew && known?.halted === true) return true;
  if (request.strategy !== 'hold' || !isOut(state) || (!isNew && known !== undefined)) return false;
  const wasTold = event.kind === 'acquire' && state.circuit.kind !== 'isolated' && known === undefined;
  return !wasTold;
}

function waiterOf(event: BreakerEvent): PermitRequest | undefined {
  if (event.kind === 'acquire') return event.request;
  return event.kind === 'release' ? event.release.requeue : undefined;
}
