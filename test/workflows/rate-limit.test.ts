import { recordAttempts, type AttemptRecord } from '../support/attempts.js';
import type { TestTier } from '../support/plans.js';
import type { Rig } from '../support/rig.js';
import { asr, minuteMs, planOf, speaches, timeSkippingSites } from '../support/sites.js';

describe('a rate limit', () => {
  const sites = timeSkippingSites();

  async function site(
    strategy: 'hold' | 'failover',
    { episodes = 3, policy = {} }: { episodes?: number; policy?: NonNullable<TestTier['policy']> } = {},
  ): Promise<{ rig: Rig; attempts: AttemptRecord[] }> {
    const attempts: AttemptRecord[] = [];
    const tiers = [asr({ policy }), asr({ endpointId: 'second', policy })];
    const rig = await sites.start({
      episodes,
      stub: { asr: speaches, second: speaches },
      plan: planOf(strategy, strategy === 'hold' ? tiers.slice(0, 1) : tiers),
      change: recordAttempts(sites.temporal, attempts),
    });
    return { rig, attempts };
  }

  function gapsMs(attempts: readonly AttemptRecord[]): number[] {
    const [first] = attempts;
    return attempts.slice(1).map(({ startedAtMs }) => startedAtMs - (first?.startedAtMs ?? 0));
  }

  it('stops the calls of every episode until it is over, and uses up no retry', async () => {
    const { rig, attempts } = await site('hold');
    rig.stub.endpoint('asr').script({ steps: [{ mode: 'rate-limit,retry-after=2' }] });
    await rig.startBatch('paced');
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('paced')).toMatchObject({ state: 'completed', done: 3 });
    expect(Math.min(...gapsMs(attempts))).toBeGreaterThanOrEqual(2000);
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1]);
    expect(rig.stub.endpoint('asr').counters.workCalls).toBe(4);
    expect(await rig.endpointState('asr')).toMatchObject({ circuit: 'closed', counters: { trips: 0 } });
    expect(rig.alerts).toEqual([]);
  });

  it('lets the episode that met it go first', async () => {
    const { rig, attempts } = await site('hold');
    rig.stub.endpoint('asr').script({ steps: [{ mode: 'rate-limit,retry-after=2' }] });
    await rig.startBatch('first');
    await sites.temporal.sleep(5 * minuteMs);
    expect(attempts[1]?.workflowId).toBe(attempts[0]?.workflowId);
  });

  it('ends at the fuse, with one warning and one error, when it lasts', async () => {
    const { rig } = await site('hold', { policy: { onOpenMaxWaitSec: 300 } });
    rig.stub.endpoint('asr').script({ default: 'rate-limit,retry-after=20' });
    await rig.startBatch('lasting');
    await sites.temporal.sleep(60 * minuteMs);
    expect(await rig.batchStatus('lasting')).toMatchObject({ state: 'halted', failed: 0 });
    expect(rig.alerts.map(({ alert }) => alert.kind)).toEqual(['trip', 'fuseOpen']);
  });

  it('is waited out in its tier under failover when it is short', async () => {
    const { rig } = await site('failover', { episodes: 1 });
    rig.stub.endpoint('asr').script({ steps: [{ mode: 'rate-limit,retry-after=2' }] });
    await rig.startBatch('short');
    await sites.temporal.sleep(minuteMs);
    expect(await rig.batchStatus('short')).toMatchObject({ state: 'completed', done: 1 });
    expect(rig.stub.endpoint('asr').counters.workCalls).toBe(2);
    expect(rig.stub.endpoint('second').calls).toEqual([]);
  });

  it('sends the episode to the next tier under failover when it is longer than the schedule', async () => {
    const { rig } = await site('failover', { episodes: 1 });
    rig.stub.endpoint('asr').script({ steps: [{ mode: 'rate-limit,retry-after=60' }] });
    await rig.startBatch('long');
    await sites.temporal.sleep(minuteMs);
    expect(await rig.batchStatus('long')).toMatchObject({ state: 'completed', done: 1 });
    expect(rig.stub.endpoint('asr').counters.workCalls).toBe(1);
    expect(rig.stub.endpoint('second').counters.workCalls).toBe(1);
    expect(await rig.endpointState('asr')).toMatchObject({ circuit: 'closed' });
  });
});
