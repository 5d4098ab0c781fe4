import { endpointWorkflowId, episodeWorkflowId } from '../../src/messages.js';
import type { TestTier } from '../support/plans.js';
import type { Rig } from '../support/rig.js';
import { asr, minuteMs, planOf, speaches, timeSkippingSites } from '../support/sites.js';

describe('an endpoint', () => {
  const sites = timeSkippingSites();

  async function site(episodes: number, tier: Partial<TestTier>): Promise<Rig> {
    return sites.start({ episodes, stub: { asr: speaches }, plan: planOf('hold', [asr(tier)]) });
  }

  it('is not closed by a success that began before the trip', async () => {
    const rig = await site(2, { policy: { retriesBeforeTrip: 0 }, settings: { capacity: 2 } });
    const service = rig.stub.endpoint('asr');
    service.script({ steps: [{ mode: 'slow:2s' }, { mode: 'status:503' }], default: 'status:503' });
    await rig.startBatch('late');
    await rig.eventually(() => service.calls.some((call) => call.mode === 'slow' && call.endedAtMs !== undefined));
    await rig.eventually(async () => (await rig.endpointState('asr')).held.length === 0);
    expect(await rig.endpointState('asr')).toMatchObject({ circuit: 'open', counters: { trips: 1 } });
    expect(rig.alerts.map(({ alert }) => alert.kind)).toEqual(['trip']);
    service.script({});
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('late')).toMatchObject({ state: 'completed', done: 2 });
  });

  it('of capacity 4 sends at most seven calls into an outage, and opens up by degrees after it', async () => {
    const rig = await site(12, { settings: { capacity: 4 } });
    const service = rig.stub.endpoint('asr');
    service.script({ default: 'slow:300ms' });
    await service.down('status:503');
    await rig.startBatch('four', { window: 12 });
    await sites.temporal.sleep(10 * minuteMs);
    expect(service.counters.callsWhileDown).toBeLessThanOrEqual(7);
    await service.up();
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('four')).toMatchObject({ done: 12, failed: 0 });
    const calls = service.calls.filter((call) => call.kind === 'work' && !call.whileDown);
    const besideIt = calls.map(
      ({ startedAtMs }) =>
        calls.filter((other) => other.startedAtMs <= startedAtMs && (other.endedAtMs ?? 0) > startedAtMs).length,
    );
    expect(besideIt[0]).toBe(1);
    expect(Math.max(...besideIt.slice(0, 4))).toBeLessThanOrEqual(2);
    expect(Math.max(...besideIt)).toBe(4);
  });
});

describe("an endpoint's entity", () => {
  const sites = timeSkippingSites();

  it('continues as new during an outage, with many waiters, and loses nothing', async () => {
    const plan = planOf('hold', [asr()]);
    const rig = await sites.start({ episodes: 20, stub: { asr: speaches }, plan });
    const { endpoints } = plan({ batchId: 'x', corpusDir: rig.corpusDir, stub: rig.stub });
    const first = await sites.temporal.client.workflow.start('endpointBreaker', {
      workflowId: endpointWorkflowId('asr'),
      taskQueue: rig.queues.endpoints,
      args: [{ settings: endpoints['asr'], continueAsNewAfterEvents: 60 }],
    });
    const service = rig.stub.endpoint('asr');
    await service.down('status:503');
    await rig.startBatch('rolling', { window: 20 });
    await sites.temporal.sleep(14 * minuteMs);
    const during = await sites.temporal.client.workflow.getHandle(endpointWorkflowId('asr')).describe();
    expect(during.runId).not.toBe(first.firstExecutionRunId);
    expect(await rig.endpointState('asr')).toMatchObject({ circuit: 'open' });
    await service.up();
    await sites.temporal.sleep(10 * minuteMs);
    expect(await rig.batchStatus('rolling')).toMatchObject({ state: 'completed', done: 20, failed: 0 });
    expect(service.counters).toMatchObject({ callsWhileDown: 4, workCalls: 24, maxInFlight: 1, maxProbesInFlight: 1 });
    expect(rig.alerts.map(({ alert }) => alert.kind)).toEqual(['trip', 'recovered']);
  });
});

describe('an episode by itself', () => {
  const sites = timeSkippingSites();

  it('fails as ResilienceFuseOpen where a batch would halt', async () => {
    const plan = planOf('hold', [asr()]);
    const rig = await sites.start({ episodes: 1, stub: { asr: speaches }, plan });
    await rig.stub.endpoint('asr').down('status:503');
    const handle = await sites.temporal.client.workflow.start('processEpisode', {
      workflowId: episodeWorkflowId('alone', rig.episodeId(0)),
      taskQueue: rig.queues.main,
      args: [
        {
          episode: await rig.episodeRef(0),
          plan: plan({ batchId: 'alone', corpusDir: rig.corpusDir, stub: rig.stub }),
        },
      ],
    });
    await sites.temporal.sleep(20 * minuteMs);
    await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'ResilienceFuseOpen' } });
    expect(await rig.endpointState('asr')).toMatchObject({ held: [], waiting: [] });
  });

  it('fails at once, naming every fault, when its input is bad', async () => {
    const rig = await sites.start({ episodes: 1, stub: { asr: speaches }, plan: planOf('hold', [asr()]) });
    const handle = await sites.temporal.client.workflow.start('processEpisode', {
      workflowId: 'episode/bad/input',
      taskQueue: rig.queues.main,
      args: [{ episodes: 1 }],
    });
    await expect(handle.result()).rejects.toMatchObject({
      cause: { type: 'InvalidInput', message: expect.stringMatching(/episode.*plan.*episodes/s) as string },
    });
  });
});
