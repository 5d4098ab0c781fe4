import {
  condition,
  log,
  patched,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { PermitAnswer, PermitRequest } from '../src/messages.js';
import { changeFor } from '../src/breaker/circuit.js';
import { wasOnceUntold } from '../src/breaker/newcomer.js';
import { reduceBreaker } from '../src/breaker/reduce.js';
import type { BreakerEffect, BreakerEvent, BreakerState, Permit } from '../src/breaker/state.js';
import { describeBreaker } from '../src/breaker/view.js';
import { nextWakeAtMs } from '../src/breaker/wake.js';
import { countBreaker } from './count-breaker.js';
import { ignoreCancellation } from './ignore-cancellation.js';
import { keys } from './search-attribute-keys.js';

/** An event without its time: the entity stamps it. */
export type Unstamped = BreakerEvent extends infer E ? (E extends BreakerEvent ? Omit<E, 'nowMs'> : never) : never;

function toAnswer(permit: Permit): PermitAnswer {
  const { generation, canary, trial } = permit;
  const role = { ...(canary ? { canary } : {}), ...(trial ? { trial } : {}) };
  return { kind: 'granted', requestId: permit.request.requestId, generation, ...role };
}

/**
 * State and timers of one endpoint. Handlers only call `dispatch`: synchronous and pure. What follows from it is done
 * by `run`, one effect after the other in order, none waiting for a slow one.
 */
export class BreakerEntity {
  private readonly outbox: BreakerEffect[] = [];
  private alarmAtMs = Infinity;
  private underWay = 0;
  private shownCircuit = '';
  private events = 0;
  /** Messages that nobody knows or that do not parse; shown, not swallowed. */
  readonly unknownMessages: string[] = [];

  constructor(
    public state: BreakerState,
    private readonly perform: (effect: BreakerEffect, entity: BreakerEntity) => Promise<void>,
  ) {}

  dispatch(event: Unstamped): void {
    const stamped = this.asToldThen({ ...event, nowMs: Date.now() });
    const result = reduceBreaker(this.state, stamped);
    countBreaker({ event: stamped, before: this.state, after: result.state, effects: result.effects });
    this.state = result.state;
    this.outbox.push(...result.effects);
    this.events += 1;
  }

  /** Since 2026-11-30 16:00 each batch that begins to wait is told of it. Asked only where it matters: a mark is an event. */
  private asToldThen(event: BreakerEvent): BreakerEvent {
    if (!wasOnceUntold(this.state, event)) return event;
    if (patched('newcomers-are-told')) return event;
    else return { ...event, untold: true };
  }

  note(name: string, fault: string): void {
    log.warn('message refused', { name, fault });
    this.unknownMessages.push(`${name}: ${fault}`);
    this.unknownMessages.splice(0, this.unknownMessages.length - 20);
  }

  /** The update `acquirePermit`: what is decided at once is the answer, and not also a signal. */
  acquire(request: PermitRequest): PermitAnswer {
    this.dispatch({ kind: 'acquire', request });
    const index = this.outbox.findIndex(
      (effect) =>
        (effect.kind === 'grant' && effect.permit.request.requestId === request.requestId) ||
        (effect.kind === 'deny' && effect.request.requestId === request.requestId),
    );
    const [decided] = index < 0 ? [] : this.outbox.splice(index, 1);
    if (decided?.kind === 'grant') return toAnswer(decided.permit);
    if (decided?.kind === 'deny') return { kind: 'denied', requestId: request.requestId, reason: decided.reason };
    const { kind: circuit } = this.state.circuit;
    const change = circuit === 'closed' ? {} : { change: changeFor(this.state, request.batchWorkflowId) };
    return { kind: 'queued', requestId: request.requestId, circuit, ...change };
  }

  answerOf(effect: Extract<BreakerEffect, { kind: 'grant' | 'deny' }>): PermitAnswer {
    if (effect.kind === 'grant') return toAnswer(effect.permit);
    return { kind: 'denied', requestId: effect.request.requestId, reason: effect.reason };
  }

  /** Works until it is time to continue as new and nothing is under way. */
  async run(isRolloverDue: () => boolean): Promise<void> {
    for (;;) {
      this.armAlarm();
      this.show();
      const seen = this.events;
      await condition(() => this.outbox.length > 0 || this.events !== seen || (isRolloverDue() && this.underWay === 0));
      for (const effect of this.outbox.splice(0)) this.start(effect);
      if (isRolloverDue() && this.underWay === 0 && this.outbox.length === 0) return;
    }
  }

  private start(effect: BreakerEffect): void {
    // A drain is also bounded by a time in the state, so it need not end before the entity rolls over.
    const counts = effect.kind !== 'awaitIdle';
    if (counts) this.underWay += 1;
    void this.perform(effect, this)
      .catch((error: unknown) => {
        log.warn('an effect of the endpoint failed', { effect: effect.kind, error });
      })
      .finally(() => {
        if (counts) this.underWay -= 1;
      });
  }

  /** One timer for the next thing that only time brings. It is never cancelled: that would cost an event each time. */
  private armAlarm(): void {
    const wakeAtMs = nextWakeAtMs(this.state);
    if (wakeAtMs === undefined || wakeAtMs >= this.alarmAtMs) return;
    this.alarmAtMs = wakeAtMs;
    const { circuit } = this.state;
    const summary =
      circuit.kind === 'open' ? `open: probe #${this.state.counters.probes + 1} is next` : 'look after holders';
    void sleep(Math.max(1, wakeAtMs - Date.now()), { summary }).then(() => {
      if (this.alarmAtMs === wakeAtMs) this.alarmAtMs = Infinity;
      this.dispatch({ kind: 'tick' });
    }, ignoreCancellation);
  }

  private show(): void {
    setCurrentDetails(describeBreaker(this.state));
    const { kind } = this.state.circuit;
    if (kind === this.shownCircuit) return;
    // A fresh endpoint is closed, as its start says: an event is spent on changes only.
    if (this.shownCircuit !== '' || kind !== 'closed' || workflowInfo().continuedFromExecutionRunId !== undefined) {
      upsertSearchAttributes([{ key: keys.state, value: kind }]);
    }
    this.shownCircuit = kind;
  }
}
