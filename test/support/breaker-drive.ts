import type { EndpointSettings } from '../../src/endpoint.js';
import type { PermitRequest, ReleasePermit } from '../../src/messages.js';
import { reduceBreaker } from '../../src/breaker/reduce.js';
import {
  initialBreakerState,
  type BreakerEffect,
  type BreakerEvent,
  type BreakerState,
} from '../../src/breaker/state.js';
import { nextWakeAtMs } from '../../src/breaker/wake.js';

export const settings: EndpointSettings = {
  endpointId: 'dgx-speaches',
  capacity: 1,
  probeIntervalSec: 30,
  probeDeadlineSec: 60,
  cooldownSec: 300,
  failureThreshold: 2,
  failureWindowSec: 300,
  drainSec: 0,
  probe: { wire: 'openai-transcription', url: 'http://127.0.0.1:1', model: 'm' },
};

type Unstamped = BreakerEvent extends infer E ? (E extends BreakerEvent ? Omit<E, 'nowMs'> : never) : never;

/** Drives the reducer as the entity does: a clock, and the timers that `nextWakeAtMs` asks for. */
export class Drive {
  state: BreakerState;
  effects: BreakerEffect[] = [];
  nowMs = 0;

  constructor(change: Partial<EndpointSettings> = {}) {
    const { adopting, ...begun } = initialBreakerState({ ...settings, ...change }, 0);
    this.state = begun;
  }

  send(event: Unstamped): BreakerEffect[] {
    const result = reduceBreaker(this.state, { ...event, nowMs: this.nowMs });
    this.state = result.state;
    this.effects.push(...result.effects);
    return [...result.effects];
  }

  acquire(id: string, change: Partial<PermitRequest> = {}): BreakerEffect[] {
    return this.send({ kind: 'acquire', request: request(id, change) });
  }

  release(requestId: string, outcome: ReleasePermit['outcome'], more: Partial<ReleasePermit> = {}): BreakerEffect[] {
    return this.send({ kind: 'release', release: { requestId, outcome, ...more } });
  }

  /** Lets time pass, ticking whenever the state asks for it. */
  advanceSec(sec: number, onProbe?: () => void): void {
    const endMs = this.nowMs + sec * 1000;
    for (;;) {
      const wakeMs = nextWakeAtMs(this.state);
      if (wakeMs === undefined || wakeMs > endMs) break;
      this.nowMs = Math.max(this.nowMs, wakeMs);
      if (this.send({ kind: 'tick' }).some((effect) => effect.kind === 'probe')) onProbe?.();
    }
    this.nowMs = endMs;
  }

  /** The owner's ladder, used up; it asks again at the head. */
  exhaust(id: string, againId: string): void {
    this.send({ kind: 'callFailed', requestId: id, reason: '503' });
    this.release(id, 'exhausted', { reason: '503', requeue: request(againId, { workflowId: this.workflowOf(id) }) });
  }

  workflowOf(id: string): string {
    const holder = this.state.held.find((permit) => permit.request.requestId === id);
    return holder?.request.workflowId ?? `episode/b/${id}`;
  }

  probe(ok: boolean): BreakerEffect[] {
    return this.send({ kind: 'probeEnded', ...(ok ? {} : { failure: { reason: 'refused' } }) });
  }

  kinds(kind: BreakerEffect['kind']): BreakerEffect[] {
    return this.effects.filter((effect) => effect.kind === kind);
  }

  alerts(): string[] {
    return this.effects.flatMap((effect) => (effect.kind === 'alert' ? effect.alert.kind : []));
  }

  granted(): string[] {
    return this.effects.flatMap((effect) => (effect.kind === 'grant' ? effect.permit.request.requestId : []));
  }
}

export function request(id: string, change: Partial<PermitRequest> = {}): PermitRequest {
  return {
    requestId: id,
    workflowId: `episode/b/${id}`,
    batchWorkflowId: 'reprocess-batch/b',
    strategy: 'hold',
    runContext: 'reprocess',
    onOpenMaxWaitSec: 900,
    ...change,
  };
}

export function tripped(waiting: string[] = ['b']): Drive {
  const drive = new Drive();
  drive.acquire('a');
  for (const id of waiting) drive.acquire(id);
  drive.exhaust('a', 'a2');
  return drive;
}
