import { batchWorkflowId, messageNames } from '../../src/messages.js';
import type { EpisodeStatus } from '../../workflows/episode-state.js';
import { Rig } from '../support/rig.js';
import { testPlan } from '../support/plans.js';
import { startTimeSkipping, type TestTemporal } from '../support/temporal.js';

const minuteMs = 60_000;

describe('hold', () => {
  let temporal: TestTemporal;
  let rig: Rig | undefined;

  beforeAll(async () => {
    temporal = await startTimeSkipping();
  });
  afterEach(async () => {
    await rig?.stop();
  });
  afterAll(async () => {
    await temporal.stop();
  });

  async function speechRig(episodes: number, capacity = 1): Promise<Rig> {
    rig = await Rig.start({
      temporal,
      episodes,
      stub: { asr: { shape: 'speaches', model: 'large-v3', durationSec: 2 } },
      plan: (facts) =>
        testPlan({
          ...facts,
          strategy: 'hold',
          tiers: [{ stage: 'transcribe', endpointId: 'asr', wire: 'openai-transcription', settings: { capacity } }],
        }),
    });
    return rig;
  }

  it('rides out one failure on the chosen model: two calls, circuit closed, no alert', async () => {
    const { stub } = await speechRig(1);
    stub.endpoint('asr').script({ steps: [{ mode: 'status:503' }] });
    await rig?.startBatch('one-failure');
    await temporal.sleep(5 * minuteMs);
    expect(await rig?.batchStatus('one-failure')).toMatchObject({ done: 1, failed: 0, state: 'completed' });
    expect(stub.endpoint('asr').counters).toMatchObject({ workCalls: 2, modelsAsked: ['large-v3'] });
    expect(await rig?.endpointState('asr')).toMatchObject({ circuit: 'closed', counters: { trips: 0 } });
    expect(rig?.alerts).toEqual([]);
  });

  it('tells an episode that queues during the outage what it tells the first: since when, why, probed how often, until when', async () => {
    const site = await speechRig(3);
    await site.stub.endpoint('asr').down('status:503');
    await site.startBatch('late', { window: 1 });
    await temporal.sleep(10 * minuteMs);
    await temporal.client.workflow.getHandle(batchWorkflowId('late')).executeUpdate('setWindow', { args: [3] });
    await temporal.sleep(minuteMs);
    const [first, ...later] = await Promise.all(
      [0, 1, 2].map((n) => site.episodeWorkflow('late', n).query<EpisodeStatus>(messageNames.episode.queries.status)),
    );

    expect(first?.endpoint).toMatchObject({ circuit: 'open', reason: expect.any(String) as string });
    expect(first?.endpoint).toMatchObject({ probeIntervalSec: expect.any(Number) as number });
    expect(first?.endpoint).toMatchObject({ haltsAtMs: expect.any(Number) as number });
    expect(later.map(({ endpoint }) => endpoint)).toEqual([first?.endpoint, first?.endpoint]);
  });

  it.each([1, 6, 20])('sends the same four calls into a 20-minute outage with a window of %i', async (window) => {
    const site = await speechRig(20);
    const asr = site.stub.endpoint('asr');
    await asr.down('status:503');
    await site.startBatch(`outage-${window}`, { window });
    await temporal.sleep(14 * minuteMs);
    expect(await site.batchStatus(`outage-${window}`)).toMatchObject({ state: 'holding', done: 0, failed: 0 });
    expect(asr.counters.callsWhileDown).toBe(4);
    expect(site.alerts.map(({ alert }) => alert.kind)).toEqual(['trip']);
    await asr.up();
    await temporal.sleep(15 * minuteMs);
    expect(await site.batchStatus(`outage-${window}`)).toMatchObject({ state: 'completed', done: 20, failed: 0 });
    expect(asr.counters).toMatchObject({ workCalls: 24, maxInFlight: 1, maxProbesInFlight: 1 });
    expect(site.alerts.map(({ alert }) => alert.kind)).toEqual(['trip', 'recovered']);
  });
});
