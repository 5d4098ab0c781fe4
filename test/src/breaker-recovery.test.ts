import { Drive, request, tripped } from '../support/breaker-drive.js';

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

  it('tells a batch that queues at an isolated endpoint why it waits, and when that is over', () => {
    const drive = new Drive();
    drive.send({ kind: 'isolate', reason: 'maintenance' });
    const told = drive.acquire('a');
    expect(told).toEqual([
      expect.objectContaining({
        kind: 'notify',
        workflowIds: ['reprocess-batch/b', 'episode/b/a'],
        change: { endpointId: 'dgx-speaches', circuit: 'isolated', sinceMs: 0, reason: 'maintenance' },
      }),
    ]);
    expect(drive.acquire('b')).toEqual([]);
    expect(drive.send({ kind: 'reset' }).map((effect) => effect.kind)).toEqual(['notify', 'grant']);
  });

  it('tells a batch whose call was under way when the endpoint was isolated', () => {
    const drive = new Drive();
    drive.acquire('a');
    drive.send({ kind: 'isolate', reason: 'maintenance' });
    expect(drive.release('a', 'returned', { requeue: request('a2', { workflowId: 'episode/b/a' }) })).toEqual([
      expect.objectContaining({ kind: 'notify', workflowIds: ['reprocess-batch/b', 'episode/b/a'] }),
    ]);
  });

  it('tells the next run of a batch whose last run heard already', () => {
    const drive = new Drive();
    drive.send({ kind: 'isolate', reason: 'maintenance' });
    drive.acquire('a');
    drive.release('a', 'returned');
    expect(drive.acquire('again').map((effect) => effect.kind)).toEqual(['notify']);
  });

  it('does not keep the next run of a batch that was halted and aborted', () => {
    const drive = tripped();
    drive.advanceSec(1000, () => drive.probe(false));
    expect(drive.kinds('halt')).toHaveLength(1);
    for (const id of ['a2', 'b']) drive.release(id, 'returned');
    drive.send({ kind: 'reset' });
    drive.acquire('again');
    expect(drive.granted()).toEqual(['a', 'again']);
  });

  it('probes now when told to', () => {
    expect(
      tripped()
        .send({ kind: 'probeNow' })
        .map((effect) => effect.kind),
    ).toEqual(['probe']);
  });
});

describe('reduceBreaker, begun anew', () => {
  function begun(): Drive {
    const drive = new Drive();
    drive.state = { ...drive.state, adopting: true };
    return drive;
  }

  it('grants nothing before it knows who holds a permit', () => {
    const drive = begun();
    drive.acquire('a');
    expect(drive.granted()).toEqual([]);
    drive.send({ kind: 'adopted', requests: [] });
    expect(drive.granted()).toEqual(['a']);
  });

  it('counts the permits that were out before it began', () => {
    const drive = begun();
    drive.acquire('a');
    drive.send({ kind: 'adopted', requests: [request('old')] });
    expect(drive.granted()).toEqual([]);
    drive.release('old', 'succeeded');
    expect(drive.granted()).toEqual(['a']);
  });
});
