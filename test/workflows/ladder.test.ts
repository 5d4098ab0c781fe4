import { recordAttempts, waitsSec, type AttemptRecord } from '../support/attempts.js';
import type { Rig } from '../support/rig.js';
import { asr, minuteMs, planOf, secondMs, speaches, timeSkippingSites } from '../support/sites.js';
import type { TestTier } from '../support/plans.js';

describe('the retry ladder', () => {
  const sites = timeSkippingSites();

  async function site(
    policy: TestTier['policy'],
    { episodes = 1, tier = {} }: { episodes?: number; tier?: Partial<TestTier> } = {},
  ): Promise<{ rig: Rig; attempts: AttemptRecord[] }> {
    const attempts: AttemptRecord[] = [];
    const rig = await sites.start({
      episodes,
      stub: { asr: speaches, other: speaches },
      plan: planOf('hold', [asr({ policy: policy ?? {}, ...tier })]),
      change: recordAttempts(sites.temporal, attempts),
    });
    return { rig, attempts };
  }

  it('waits 30, 60 and 120 seconds', async () => {
    const { rig, attempts } = await site({});
    await rig.stub.endpoint('asr').down('status:503');
    await rig.startBatch('waits');
    await sites.temporal.sleep(4 * minuteMs);
    expect(waitsSec(attempts)).toEqual([30, 60, 120]);
  });

  it('repeats the last wait of its schedule', async () => {
    const { rig, attempts } = await site({ backoffScheduleSec: [1, 2, 4], retriesBeforeTrip: 5 });
    await rig.stub.endpoint('asr').down('status:503');
    await rig.startBatch('repeats');
    await sites.temporal.sleep(25 * secondMs);
    expect(waitsSec(attempts)).toEqual([1, 2, 4, 4, 4]);
  });

  it('opens the circuit after the fourth call and not before, with one warning', async () => {
    const { rig } = await site({});
    const service = rig.stub.endpoint('asr');
    await service.down('status:503');
    await rig.startBatch('trips');
    const seen: [number, string][] = [];
    for (const waitMs of [10_000, 30_000, 60_000, 120_000]) {
      await sites.temporal.sleep(waitMs);
      seen.push([service.counters.workCalls, (await rig.endpointState('asr')).circuit]);
    }
    expect(seen).toEqual([
      [1, 'suspect'],
      [2, 'suspect'],
      [3, 'suspect'],
      [4, 'open'],
    ]);
    expect(rig.alerts.map(({ alert }) => alert.kind)).toEqual(['trip']);
  });

  it('makes one timeout good with a second call to the same service and model', async () => {
    const { rig } = await site({}, { tier: { deadlineSec: 1 } });
    rig.stub.endpoint('asr').script({ steps: [{ mode: 'hang' }] });
    await rig.startBatch('timeout');
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('timeout')).toMatchObject({ state: 'completed', done: 1 });
    expect(rig.stub.endpoint('asr').counters).toMatchObject({ workCalls: 2, modelsAsked: ['large-v3'] });
    expect(rig.stub.endpoint('other').calls).toEqual([]);
    expect(await rig.endpointState('asr')).toMatchObject({ circuit: 'closed', counters: { trips: 0 } });
    expect(rig.alerts).toEqual([]);
  });

  it('never trips on a hundred alternating failures and successes', async () => {
    const { rig } = await site({ backoffScheduleSec: [0.1] }, { episodes: 50 });
    const alternating = Array.from({ length: 50 }, () => [{ mode: 'status:503' }, { mode: 'ok' }]).flat();
    rig.stub.endpoint('asr').script({ steps: alternating });
    await rig.startBatch('alternating');
    await sites.temporal.sleep(30 * minuteMs);
    expect(await rig.batchStatus('alternating')).toMatchObject({ state: 'completed', done: 50 });
    expect(rig.stub.endpoint('asr').counters.workCalls).toBe(100);
    expect(await rig.endpointState('asr')).toMatchObject({ circuit: 'closed', counters: { trips: 0 } });
  });

  it('ends early at the ceiling of an episode: two calls, then the trip', async () => {
    const { rig } = await site({ perEpisodeMaxWaitSec: 40 });
    const service = rig.stub.endpoint('asr');
    await service.down('status:503');
    await rig.startBatch('ceiling');
    await sites.temporal.sleep(45 * secondMs);
    expect(service.counters.workCalls).toBe(2);
    expect(await rig.endpointState('asr')).toMatchObject({ circuit: 'open' });
  });

  it('does not count time in the queue towards the ceiling', async () => {
    const { rig } = await site({ perEpisodeMaxWaitSec: 1 }, { episodes: 4 });
    rig.stub.endpoint('asr').script({ default: 'slow:600ms' });
    await rig.startBatch('queue');
    await sites.temporal.sleep(minuteMs);
    expect(await rig.batchStatus('queue')).toMatchObject({ state: 'completed', done: 4, failed: 0 });
  });
});
