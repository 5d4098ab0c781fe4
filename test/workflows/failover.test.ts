import type { TestTier } from '../support/plans.js';
import type { Rig } from '../support/rig.js';
import { asr, minuteMs, planOf, secondMs, speaches, timeSkippingSites } from '../support/sites.js';

describe('failover', () => {
  const sites = timeSkippingSites();
  const stub = { asr: speaches, second: speaches };

  async function site(episodes: number, tier: Partial<TestTier> = {}): Promise<Rig> {
    return sites.start({
      episodes,
      stub,
      plan: planOf('failover', [asr({ deadlineSec: 1, ...tier }), asr({ endpointId: 'second', ...tier })]),
    });
  }

  function workCalls(rig: Rig): number[] {
    return ['asr', 'second'].map((name) => rig.stub.endpoint(name).counters.workCalls);
  }

  it('answers one hard timeout with a trip and the next tier, for this episode and the next', async () => {
    const rig = await site(2);
    rig.stub.endpoint('asr').script({ default: 'hang' });
    await rig.startBatch('hard', { window: 1 });
    await sites.temporal.sleep(minuteMs);
    expect(await rig.batchStatus('hard')).toMatchObject({ state: 'completed', done: 2 });
    expect(workCalls(rig)).toEqual([1, 2]);
    expect(await rig.endpointState('asr')).toMatchObject({ circuit: 'open', counters: { trips: 1 } });
    expect(rig.alerts.map(({ endpointId, alert }) => [endpointId, alert.kind])).toEqual([['asr', 'trip']]);
  });

  it('closes the circuit by one canary after the cooldown', async () => {
    const rig = await site(3);
    rig.stub.endpoint('asr').script({ steps: [{ mode: 'hang' }] });
    await rig.startBatch('before');
    await sites.temporal.sleep(4 * minuteMs);
    expect(workCalls(rig)).toEqual([1, 3]);
    await sites.temporal.sleep(2 * minuteMs);
    await rig.startBatch('after');
    await sites.temporal.sleep(minuteMs);
    expect(await rig.batchStatus('after')).toMatchObject({ state: 'completed', done: 3 });
    expect(rig.stub.endpoint('asr').counters).toMatchObject({ maxInFlight: 1, probeCalls: 0 });
    expect(await rig.endpointState('asr')).toMatchObject({ circuit: 'closed' });
    expect(rig.alerts.map(({ alert }) => alert.kind)).toEqual(['trip', 'recovered']);
  });

  it('sends a failed canary to the next tier without a second warning', async () => {
    const rig = await site(1);
    rig.stub.endpoint('asr').script({ default: 'hang' });
    await rig.startBatch('one');
    await sites.temporal.sleep(6 * minuteMs);
    await rig.startBatch('two');
    await sites.temporal.sleep(minuteMs);
    expect(await rig.batchStatus('two')).toMatchObject({ state: 'completed', done: 1 });
    expect(workCalls(rig)).toEqual([2, 2]);
    expect(rig.alerts.map(({ alert }) => alert.kind)).toEqual(['trip']);
  });

  it('retries a softer fault in its tier, and trips at the second exhausted call', async () => {
    const rig = await site(3);
    await rig.stub.endpoint('asr').down('status:503');
    await rig.startBatch('soft', { window: 1 });
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('soft')).toMatchObject({ state: 'completed', done: 3 });
    expect(rig.stub.endpoint('second').counters.workCalls).toBe(3);
    expect(rig.stub.endpoint('asr').counters.workCalls).toBeLessThanOrEqual(6);
    expect(await rig.endpointState('asr')).toMatchObject({ circuit: 'open', counters: { trips: 1 } });
  });

  it('lists the error of every tier when the chain is used up', async () => {
    const rig = await site(1, { policy: { retriesBeforeTrip: 0 } });
    await rig.stub.endpoint('asr').down('status:503');
    await rig.stub.endpoint('second').down('reset');
    await rig.startBatch('used-up');
    await sites.temporal.sleep(minuteMs);
    const { lastFailures } = await rig.batchStatus('used-up');
    expect(lastFailures[0]?.reason).toMatch(/asr-option at asr: .*second-option at second: /);
  });

  it('lets serve through again while a halted batch waits at the recovered endpoint', async () => {
    const rig = await sites.start({
      episodes: 1,
      stub,
      plan: ({ batchId, ...facts }) =>
        batchId === 'held'
          ? planOf('hold', [asr()])({ batchId, ...facts })
          : planOf('failover', [asr(), asr({ endpointId: 'second' })])({ batchId, ...facts }),
    });
    const service = rig.stub.endpoint('asr');
    await service.down('status:503');
    await rig.startBatch('held');
    await sites.temporal.sleep(20 * minuteMs);
    expect(await rig.batchStatus('held')).toMatchObject({ state: 'halted' });
    await service.up();
    await sites.temporal.sleep(minuteMs);
    await rig.startBatch('serving');
    await sites.temporal.sleep(minuteMs);
    expect(await rig.batchStatus('serving')).toMatchObject({ state: 'completed', done: 1 });
    expect(workCalls(rig)).toEqual([4 + 1, 0]);
    expect(await rig.batchStatus('held')).toMatchObject({ state: 'halted' });
  });
});

describe('two batches with different postures at one endpoint', () => {
  const sites = timeSkippingSites();

  it('behave each by its own', async () => {
    const rig = await sites.start({
      episodes: 3,
      stub: { asr: speaches, second: speaches },
      plan: ({ batchId, ...facts }) =>
        batchId === 'holding'
          ? planOf('hold', [asr()])({ batchId, ...facts })
          : planOf('failover', [asr(), asr({ endpointId: 'second' })])({ batchId, ...facts }),
    });
    const [first, second] = [rig.stub.endpoint('asr'), rig.stub.endpoint('second')];
    await first.down('status:503');
    await rig.startBatch('holding');
    await sites.temporal.sleep(10 * secondMs);
    await rig.startBatch('serving');
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('serving')).toMatchObject({ state: 'completed', done: 3, failed: 0 });
    expect(await rig.batchStatus('holding')).toMatchObject({ state: 'holding', done: 0, failed: 0 });
    expect(first.counters.callsWhileDown).toBe(4);
    expect(second.counters.workCalls).toBe(3);
    await first.up();
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('holding')).toMatchObject({ state: 'completed', done: 3, failed: 0 });
    expect(first.counters.workCalls).toBe(4 + 3);
    expect(second.counters.workCalls).toBe(3);
  });
});
