import fc from 'fast-check';
import type { EndpointSettings } from '../../src/endpoint.js';
import type { PermitRequest, ReleasePermit } from '../../src/messages.js';
import { reduceBreaker } from '../../src/breaker/reduce.js';
import {
  type BreakerEffect,
  type BreakerEvent,
  type BreakerState,
  initialBreakerState,
} from '../../src/breaker/state.js';
import { gateAnswer } from '../../src/breaker/view.js';
import { nextWakeAtMs } from '../../src/breaker/wake.js';

const settings: EndpointSettings = {
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
class Drive {
  state: BreakerState;
  effects: BreakerEffect[] = [];
  nowMs = 0;

  constructor(change: Partial<EndpointSettings> = {}) {
    this.state = initialBreakerState({ ...settings, ...change }, 0);
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

function request(id: string, change: Partial<PermitRequest> = {}): PermitRequest {
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

function tripped(waiting: string[] = ['b']): Drive {
  const drive = new Drive();
  drive.acquire('a');
  for (const id of waiting) drive.acquire(id);
  drive.exhaust('a', 'a2');
  return drive;
}

describe('reduceBreaker, closed', () => {
  it('grants up to the capacity and queues the rest in order', () => {
    const drive = new Drive({ capacity: 2 });
    for (const id of ['a', 'b', 'c', 'd']) drive.acquire(id);
    drive.release('a', 'succeeded');
    drive.release('b', 'succeeded');
    expect(drive.granted()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('answers serve before reprocess', () => {
    const drive = new Drive();
    drive.acquire('a');
    drive.acquire('b');
    drive.acquire('s', { runContext: 'serve', strategy: 'failover' });
    drive.release('a', 'succeeded');
    expect(drive.granted()).toEqual(['a', 's']);
  });

  it('gives the same permit to the same request', () => {
    const drive = new Drive();
    drive.acquire('a');
    drive.acquire('a');
    expect(drive.state.held).toHaveLength(1);
    expect(drive.granted()).toEqual(['a', 'a']);
  });

  it('grants nothing before the time a 429 asked for, and uses up nothing', () => {
    const drive = new Drive();
    drive.acquire('a');
    drive.release('a', 'paced', { pacedForMs: 2000, requeue: request('a2') });
    drive.acquire('b');
    drive.advanceSec(1.9);
    expect(drive.granted()).toEqual(['a']);
    drive.advanceSec(0.2);
    expect(drive.granted()).toEqual(['a', 'a2']);
    expect(drive.state.circuit.kind).toBe('closed');
  });

  it('never trips on a hundred alternating failures and successes of failover calls', () => {
    const drive = new Drive();
    for (let n = 0; n < 100; n += 1) {
      drive.acquire(`f${n}`, { strategy: 'failover' });
      drive.release(`f${n}`, n % 2 === 0 ? 'exhausted' : 'succeeded');
    }
    expect(drive.state.counters.trips).toBe(0);
  });

  it('trips when exhausted failover calls reach the threshold in the window', () => {
    const drive = new Drive();
    for (const id of ['f1', 'f2']) {
      drive.acquire(id, { strategy: 'failover' });
      drive.release(id, 'exhausted');
    }
    expect(drive.state.circuit.kind).toBe('open');
  });

  it('forgets failover failures older than the window', () => {
    const drive = new Drive();
    drive.acquire('f1', { strategy: 'failover' });
    drive.release('f1', 'exhausted');
    drive.advanceSec(301);
    drive.acquire('f2', { strategy: 'failover' });
    drive.release('f2', 'exhausted');
    expect(drive.state.circuit.kind).toBe('closed');
  });

  it('trips at once on a hard timeout of a failover call', () => {
    const drive = new Drive();
    drive.acquire('f', { strategy: 'failover' });
    drive.release('f', 'exhausted', { hardTimeout: true });
    expect(drive.state.circuit.kind).toBe('open');
    expect(drive.alerts()).toEqual(['trip']);
  });
});

describe('reduceBreaker, suspect', () => {
  it('grants nothing while the owner climbs its ladder', () => {
    const drive = new Drive({ capacity: 4 });
    for (const id of ['a', 'b', 'c', 'd', 'e']) drive.acquire(id);
    drive.send({ kind: 'callFailed', requestId: 'a', reason: 'refused' });
    drive.release('b', 'returned', { requeue: request('b2') });
    expect(drive.state.circuit.kind).toBe('suspect');
    expect(drive.granted()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('lets only the owner retry', () => {
    const drive = new Drive({ capacity: 2 });
    drive.acquire('a');
    drive.acquire('b');
    drive.send({ kind: 'callFailed', requestId: 'a', reason: 'refused' });
    expect([gateAnswer(drive.state, 'a'), gateAnswer(drive.state, 'b'), gateAnswer(drive.state, 'z')]).toEqual([
      'go',
      'wait',
      'lost',
    ]);
  });

  it('closes without an alert when the owner succeeds', () => {
    const drive = new Drive();
    drive.acquire('a');
    drive.send({ kind: 'callFailed', requestId: 'a', reason: 'refused' });
    drive.release('a', 'succeeded');
    expect(drive.state.circuit.kind).toBe('closed');
    expect(drive.alerts()).toEqual([]);
  });

  it('denies failover', () => {
    const drive = new Drive({ capacity: 4 });
    drive.acquire('a');
    drive.send({ kind: 'callFailed', requestId: 'a', reason: 'refused' });
    drive.acquire('f', { strategy: 'failover' });
    expect(drive.kinds('deny')).toHaveLength(1);
  });

  it('passes the suspicion on when the owner leaves without a result', () => {
    const drive = new Drive({ capacity: 4 });
    drive.acquire('a');
    drive.send({ kind: 'callFailed', requestId: 'a', reason: 'refused' });
    drive.acquire('b');
    drive.release('a', 'returned');
    expect(drive.granted()).toEqual(['a', 'b']);
    drive.acquire('c');
    expect(drive.granted()).toEqual(['a', 'b']);
  });
});

describe('reduceBreaker, open', () => {
  it('warns once, tells the waiting batch, and grants nothing', () => {
    const drive = tripped();
    expect(drive.state.circuit.kind).toBe('open');
    expect(drive.alerts()).toEqual(['trip']);
    expect(drive.kinds('notify')).toEqual([
      expect.objectContaining({ workflowIds: ['reprocess-batch/b', 'episode/b/a', 'episode/b/b'] }),
    ]);
    expect(drive.granted()).toEqual(['a']);
  });

  it('probes once an interval, however many wait', () => {
    const drive = tripped(['b', 'c', 'd', 'e', 'f']);
    drive.advanceSec(299, () => drive.probe(false));
    expect(drive.state.counters.probes).toBe(9);
  });

  it('counts the interval from the end of a probe', () => {
    const drive = tripped();
    drive.advanceSec(30);
    drive.nowMs += 20_000;
    drive.probe(false);
    expect(nextWakeAtMs(drive.state)).toBe(80_000);
  });

  it('takes the smallest interval among those who hold', () => {
    const drive = new Drive();
    drive.acquire('a');
    drive.acquire('b', { probeIntervalSec: 7 });
    drive.exhaust('a', 'a2');
    expect(nextWakeAtMs(drive.state)).toBe(7000);
  });

  it('does not probe when nobody holds', () => {
    const drive = new Drive();
    drive.acquire('f', { strategy: 'failover' });
    drive.release('f', 'exhausted', { hardTimeout: true });
    expect(nextWakeAtMs(drive.state)).toBeUndefined();
  });

  it('is not closed by a success that began before the trip, nor put off by a late failure', () => {
    const drive = new Drive({ capacity: 2 });
    drive.acquire('slow');
    drive.acquire('a');
    drive.exhaust('a', 'a2');
    const wakeMs = nextWakeAtMs(drive.state);
    drive.advanceSec(10);
    drive.release('slow', 'succeeded');
    expect(drive.state.circuit.kind).toBe('open');
    expect(nextWakeAtMs(drive.state)).toBe(wakeMs);
    expect(drive.state.held).toHaveLength(0);
  });

  it('lets one failover canary through after the cooldown when nobody holds', () => {
    const drive = new Drive();
    drive.acquire('f', { strategy: 'failover' });
    drive.release('f', 'exhausted', { hardTimeout: true });
    drive.advanceSec(299);
    drive.acquire('g', { strategy: 'failover' });
    drive.advanceSec(2);
    drive.acquire('h', { strategy: 'failover' });
    drive.acquire('i', { strategy: 'failover' });
    expect(drive.granted()).toEqual(['f', 'h']);
    drive.release('h', 'succeeded');
    expect(drive.state.circuit.kind).toBe('closed');
  });

  it('opens the fuse at the limit after a failed probe, once, and goes on probing', () => {
    const drive = tripped();
    drive.advanceSec(899, () => drive.probe(false));
    expect(drive.kinds('halt')).toHaveLength(0);
    drive.advanceSec(1, () => drive.probe(false));
    expect(drive.kinds('halt')).toEqual([
      expect.objectContaining({ notice: expect.objectContaining({ failureType: 'ResilienceFuseOpen' }) as unknown }),
    ]);
    const probes = drive.state.counters.probes;
    drive.advanceSec(600, () => drive.probe(false));
    expect(drive.kinds('halt')).toHaveLength(1);
    expect(drive.alerts()).toEqual(['trip', 'fuseOpen']);
    expect(drive.state.counters.probes).toBeGreaterThan(probes);
  });

  it('probes once before it gives up when it wakes late', () => {
    const drive = tripped();
    drive.nowMs = 5_000_000;
    expect(drive.send({ kind: 'tick' }).map((effect) => effect.kind)).toEqual(['probe']);
    drive.probe(true);
    expect(drive.kinds('halt')).toHaveLength(0);
    expect(drive.granted()).toEqual(['a', 'a2']);
  });

  it('passes over the waiters of a halted batch until its resume', () => {
    const drive = tripped();
    drive.advanceSec(900, () => drive.probe(false));
    drive.advanceSec(30, () => drive.probe(true));
    expect(drive.granted()).toEqual(['a']);
    drive.send({ kind: 'resumeBatch', batchWorkflowId: 'reprocess-batch/b' });
    expect(drive.granted()).toEqual(['a', 'a2']);
  });

  it('probes at once and starts the clock anew on resume', () => {
    const drive = tripped();
    drive.advanceSec(905, () => drive.probe(false));
    const effects = drive.send({ kind: 'resumeBatch', batchWorkflowId: 'reprocess-batch/b' });
    expect(effects.map((effect) => effect.kind)).toEqual(['probe']);
    drive.probe(false);
    drive.advanceSec(890, () => drive.probe(false));
    expect(drive.kinds('halt')).toHaveLength(1);
    drive.advanceSec(15, () => drive.probe(false));
    expect(drive.kinds('halt')).toHaveLength(2);
  });

  it('halts at once, without probing, when the account is refused', () => {
    const drive = new Drive();
    drive.acquire('a');
    drive.acquire('b');
    drive.release('a', 'terminal', { reason: '401 invalid_api_key', requeue: request('a2') });
    expect(drive.kinds('halt')).toHaveLength(1);
    expect(drive.alerts()).toEqual(['blocked']);
    expect(nextWakeAtMs(drive.state)).toBeUndefined();
  });
});

describe('reduceBreaker, half-open', () => {
  it('lets the owner through first, alone, then one, two, and up to the capacity', () => {
    const drive = new Drive({ capacity: 4 });
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']) drive.acquire(id);
    drive.send({ kind: 'callFailed', requestId: 'a', reason: 'refused' });
    for (const id of ['b', 'c', 'd']) drive.release(id, 'returned', { requeue: request(`${id}2`) });
    drive.exhaust('a', 'a2');
    drive.probe(true);
    expect(drive.granted().slice(4)).toEqual(['a2']);
    drive.release('a2', 'succeeded');
    expect(drive.state.held).toHaveLength(1);
    drive.release('d2', 'succeeded');
    expect(drive.state.held).toHaveLength(2);
    for (const permit of drive.state.held) drive.release(permit.request.requestId, 'succeeded');
    expect(drive.state.held).toHaveLength(4);
  });

  it('goes back to open when the canary fails: same outage, no second warning, and still the fuse', () => {
    const drive = tripped([]);
    let n = 2;
    drive.advanceSec(1200, () => {
      drive.probe(true);
      drive.release(`a${n}`, 'exhausted', { requeue: request(`a${n + 1}`, { workflowId: 'episode/b/a' }) });
      n += 1;
    });
    expect(drive.alerts()).toEqual(['trip', 'fuseOpen']);
    expect(drive.kinds('halt')).toHaveLength(1);
  });

  it('tries another episode after a failed canary, and then the first one once more, alone', () => {
    const drive = tripped(['b']);
    drive.probe(true);
    drive.release('a2', 'exhausted', { requeue: request('a3', { workflowId: 'episode/b/a' }) });
    drive.probe(true);
    expect(drive.granted()).toEqual(['a', 'a2', 'b']);
    drive.release('b', 'succeeded');
    expect(drive.state.held).toEqual([expect.objectContaining({ trial: true })]);
    drive.release('a3', 'exhausted');
    expect(drive.state.circuit.kind).toBe('closed');
    expect(drive.alerts()).toEqual(['trip', 'recovered']);
  });

  it('gives the place to the next when the canary is cancelled', () => {
    const drive = tripped(['b']);
    drive.probe(true);
    drive.release('a2', 'returned');
    expect(drive.granted()).toEqual(['a', 'a2', 'b']);
  });
});

describe('reduceBreaker, holders', () => {
  it('frees the permit of a vanished holder only after its call can no longer run', () => {
    const drive = new Drive({ drainSec: 40 });
    drive.acquire('a');
    drive.acquire('b');
    drive.advanceSec(60);
    expect(drive.kinds('checkHolder')).toHaveLength(1);
    drive.send({ kind: 'holderChecked', requestId: 'a', running: false });
    drive.advanceSec(54);
    expect(drive.granted()).toEqual(['a']);
    drive.advanceSec(2);
    expect(drive.granted()).toEqual(['a', 'b']);
  });

  it('keeps the slot of a call that the service may still compute, until it is idle', () => {
    const drive = new Drive({ drainSec: 600 });
    drive.acquire('a');
    drive.acquire('b');
    drive.release('a', 'returned', { mayStillCompute: true });
    expect(drive.kinds('awaitIdle')).toHaveLength(1);
    expect(drive.granted()).toEqual(['a']);
    drive.send({ kind: 'drained', requestId: 'a' });
    expect(drive.granted()).toEqual(['a', 'b']);
  });

  it('forgets an episode that is gone', () => {
    const drive = new Drive();
    drive.acquire('a');
    drive.acquire('b');
    drive.acquire('c');
    drive.send({ kind: 'episodeGone', workflowId: 'episode/b/b' });
    drive.send({ kind: 'episodeGone', workflowId: 'episode/b/a' });
    drive.advanceSec(20);
    expect(drive.granted()).toEqual(['a', 'c']);
  });

  it('frees at once a permit whose grant reached nobody', () => {
    const drive = new Drive();
    drive.acquire('a');
    drive.acquire('b');
    drive.release('a', 'succeeded');
    drive.acquire('c');
    drive.send({ kind: 'undeliverable', requestId: 'b' });
    expect(drive.granted()).toEqual(['a', 'b', 'c']);
  });
});

describe('reduceBreaker, operator', () => {
  it('grants nothing, does not probe and lets the fuse clock stand still while isolated; reset closes', () => {
    const drive = tripped();
    drive.send({ kind: 'isolate', reason: 'maintenance' });
    drive.advanceSec(5000);
    expect(drive.kinds('halt')).toHaveLength(0);
    expect(drive.state.counters.probes).toBe(0);
    drive.send({ kind: 'reset' });
    expect(drive.granted()).toEqual(['a', 'a2']);
  });

  it('probes now when told to', () => {
    expect(
      tripped()
        .send({ kind: 'probeNow' })
        .map((effect) => effect.kind),
    ).toEqual(['probe']);
  });
});

// --- Properties ------------------------------------------------------------------------------------------------------

type Move =
  | { kind: 'acquire'; n: number; failover: boolean }
  | { kind: 'release'; pick: number; outcome: ReleasePermit['outcome']; requeue: boolean; late: boolean }
  | { kind: 'fail'; pick: number }
  | { kind: 'probe'; ok: boolean }
  | { kind: 'pass'; sec: number }
  | { kind: 'gone'; n: number }
  | { kind: 'resume' };

const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('acquire' as const), n: fc.nat(9), failover: fc.boolean() }),
    fc.record({
      kind: fc.constant('release' as const),
      pick: fc.nat(20),
      outcome: fc.constantFrom('succeeded', 'returned', 'rejected', 'exhausted', 'paced', 'terminal', 'misconfigured'),
      requeue: fc.boolean(),
      late: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('fail' as const), pick: fc.nat(20) }),
    fc.record({ kind: fc.constant('probe' as const), ok: fc.boolean() }),
    fc.record({ kind: fc.constant('pass' as const), sec: fc.integer({ min: 1, max: 400 }) }),
    fc.record({ kind: fc.constant('gone' as const), n: fc.nat(9) }),
    fc.record({ kind: fc.constant('resume' as const) }),
  ),
  { maxLength: 80 },
);

function play(drive: Drive, steps: Move[], check: () => void): void {
  let seq = 0;
  const releasedIds: string[] = [];
  for (const step of steps) {
    const held = drive.state.held.filter((permit) => permit.drainUntilMs === undefined);
    switch (step.kind) {
      case 'acquire':
        seq += 1;
        drive.acquire(`r${seq}`, { workflowId: `e${step.n}`, strategy: step.failover ? 'failover' : 'hold' });
        break;
      case 'release': {
        const permit = held[step.pick % Math.max(1, held.length)];
        const requestId = step.late
          ? releasedIds[step.pick % Math.max(1, releasedIds.length)]
          : permit?.request.requestId;
        if (requestId === undefined) break;
        releasedIds.push(requestId);
        seq += 1;
        const again = request(`r${seq}`, { workflowId: permit?.request.workflowId ?? 'e0' });
        drive.release(requestId, step.outcome, { pacedForMs: 5000, ...(step.requeue ? { requeue: again } : {}) });
        break;
      }
      case 'fail': {
        const permit = held[step.pick % Math.max(1, held.length)];
        if (permit) drive.send({ kind: 'callFailed', requestId: permit.request.requestId, reason: 'x' });
        break;
      }
      case 'probe':
        if (drive.state.circuit.kind === 'open' && drive.state.circuit.probing) drive.probe(step.ok);
        break;
      case 'pass':
        drive.advanceSec(step.sec);
        break;
      case 'gone':
        drive.send({ kind: 'episodeGone', workflowId: `e${step.n}` });
        break;
      case 'resume':
        drive.send({ kind: 'resumeBatch', batchWorkflowId: 'reprocess-batch/b' });
        break;
    }
    check();
  }
}

const capacities = fc.integer({ min: 1, max: 4 });

describe('reduceBreaker, any sequence of events', () => {
  it('never has more permits out than the capacity, nor two current ones in half-open', () => {
    fc.assert(
      fc.property(capacities, moves, (capacity, steps) => {
        const drive = new Drive({ capacity });
        play(drive, steps, () => {
          expect(drive.state.held.length).toBeLessThanOrEqual(capacity);
          if (drive.state.circuit.kind !== 'halfOpen') return;
          const current = drive.state.held.filter((permit) => permit.generation === drive.state.generation);
          expect(current.length).toBeLessThanOrEqual(1);
        });
      }),
    );
  });

  it('leaks no permit: when all are given back and it is reset, every waiter gets its turn', () => {
    fc.assert(
      fc.property(capacities, moves, (capacity, steps) => {
        const drive = new Drive({ capacity, drainSec: 5 });
        play(drive, steps, () => undefined);
        drive.send({ kind: 'resumeBatch', batchWorkflowId: 'reprocess-batch/b' });
        drive.send({ kind: 'reset' });
        const asked = drive.state.queue.length;
        for (let n = 0; n <= asked + capacity; n += 1) {
          drive.advanceSec(30);
          for (const permit of drive.state.held) drive.release(permit.request.requestId, 'succeeded');
        }
        expect([drive.state.queue, drive.state.held]).toEqual([[], []]);
      }),
    );
  });

  it('is moved by no result of another generation', () => {
    fc.assert(
      fc.property(moves, fc.constantFrom('succeeded', 'exhausted', 'terminal', 'rejected'), (steps, outcome) => {
        const drive = new Drive({ capacity: 3 });
        play(drive, steps, () => undefined);
        const stale = drive.state.held.find((permit) => permit.generation !== drive.state.generation);
        if (stale === undefined) return;
        const before = drive.state.circuit;
        drive.release(stale.request.requestId, outcome as ReleasePermit['outcome']);
        // A freed slot may let a waiting canary in; nothing else may change.
        const { canaryRequestId: _before, ...was } = before as { canaryRequestId?: string };
        const { canaryRequestId: _after, ...is } = drive.state.circuit as { canaryRequestId?: string };
        expect(is).toEqual(was);
      }),
    );
  });

  it('asks for a timer whenever somebody waits for what only time brings', () => {
    fc.assert(
      fc.property(moves, (steps) => {
        const drive = new Drive({ capacity: 2 });
        play(drive, steps, () => {
          const { circuit, queue } = drive.state;
          const holds = queue.some((waiting) => waiting.strategy === 'hold');
          if (circuit.kind === 'open' && !circuit.probing && !circuit.terminal && holds) {
            expect(nextWakeAtMs(drive.state)).toBeDefined();
          }
        });
      }),
    );
  });
});
