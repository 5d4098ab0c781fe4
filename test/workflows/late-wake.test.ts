import { Rig } from '../support/rig.js';
import { asr, planOf, speaches } from '../support/sites.js';
import { startDevServer, type TestTemporal } from '../support/temporal.js';

/** In real time, with small knobs: the time-skipping server stands still while nobody works. */
describe('workers that were stopped past the limit', () => {
  let temporal: TestTemporal;
  let rig: Rig | undefined;

  beforeAll(async () => {
    temporal = await startDevServer();
  });
  afterEach(() => rig?.stop());
  afterAll(() => temporal.stop());

  async function stopped(batchId: string): Promise<Rig> {
    const policy = { retriesBeforeTrip: 1, backoffScheduleSec: [0.1], onOpenMaxWaitSec: 4 };
    const settings = { probeIntervalSec: 1 };
    const site = await Rig.start({
      temporal,
      episodes: 2,
      stub: { asr: speaches },
      plan: planOf('hold', [asr({ policy, settings })]),
    });
    rig = site;
    await site.stub.endpoint('asr').down('status:503');
    await site.startBatch(batchId);
    await site.eventually(async () => (await site.batchStatus(batchId)).state === 'holding');
    await site.stopWorkers();
    await temporal.sleep(6000);
    return site;
  }

  it('probe before they give up, and go on when the endpoint is well', async () => {
    const site = await stopped('well-again');
    await site.stub.endpoint('asr').up();
    await site.restartWorkers();
    await site.eventually(async () => (await site.batchStatus('well-again')).state === 'completed');
    expect(await site.batchStatus('well-again')).toMatchObject({ done: 2, failed: 0 });
    expect(site.alerts.map(({ alert }) => alert.kind)).toEqual(['trip', 'recovered']);
  });

  it('halt after one probe when it is not', async () => {
    const site = await stopped('still-ill');
    const { probeCalls } = site.stub.endpoint('asr').counters;
    await site.restartWorkers();
    await site.eventually(async () => (await site.batchStatus('still-ill')).state === 'halted');
    expect(site.stub.endpoint('asr').counters.probeCalls).toBe(probeCalls + 1);
    expect(site.alerts.map(({ alert }) => alert.kind)).toEqual(['trip', 'fuseOpen']);
  });
});
