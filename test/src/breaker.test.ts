import { gateAnswer } from '../../src/breaker/view.js';
import { nextWakeAtMs } from '../../src/breaker/wake.js';
import { Drive, request, tripped } from '../support/breaker-drive.js';

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
