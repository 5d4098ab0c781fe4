import type { Rig } from '../support/rig.js';
import type { TestTier } from '../support/plans.js';
import { asr, diarizer, minuteMs, planOf, pyannote, secondMs, speaches, timeSkippingSites } from '../support/sites.js';

function kinds(rig: Rig): string[] {
  return rig.alerts.map(({ alert }) => alert.kind);
}

/** From the trip, as the endpoint itself has it, to the alert that the fuse is open. */
function openedAfterMs(rig: Rig): number {
  const opened = rig.alerts.find(({ alert }) => alert.kind === 'fuseOpen');
  return opened === undefined ? NaN : opened.atMs - opened.alert.sinceMs;
}

describe('the fuse', () => {
  const sites = timeSkippingSites();

  /** Transcription and diarization; the diarizer is what fails. */
  async function site(episodes: number, settings: TestTier['settings'] = {}): Promise<Rig> {
    return sites.start({
      episodes,
      stub: { asr: speaches, diarizer: pyannote },
      plan: planOf('hold', [asr(), diarizer({ settings })]),
    });
  }

  async function halted(batchId: string, episodes = 4): Promise<Rig> {
    const rig = await site(episodes);
    await rig.stub.endpoint('diarizer').down('status:503');
    await rig.startBatch(batchId, { window: 2 });
    await sites.temporal.sleep(20 * minuteMs);
    expect(await rig.batchStatus(batchId)).toMatchObject({ state: 'halted' });
    return rig;
  }

  it('opens 900 seconds after the trip: not before, and not later than one probe after', async () => {
    const rig = await site(3);
    await rig.stub.endpoint('diarizer').down('status:503');
    await rig.startBatch('limit');
    await sites.temporal.sleep(3.5 * minuteMs + 890 * secondMs);
    expect(await rig.batchStatus('limit')).toMatchObject({ state: 'holding' });
    await sites.temporal.sleep(2 * minuteMs);
    const afterMs = openedAfterMs(rig);
    expect(afterMs).toBeGreaterThanOrEqual(900 * secondMs);
    expect(afterMs).toBeLessThanOrEqual(931 * secondMs);
  });

  it('halts the batch with exactly one error, starts no further episode, and fails none', async () => {
    const rig = await halted('halts');
    await sites.temporal.sleep(30 * minuteMs);
    expect(await rig.batchStatus('halts')).toMatchObject({ state: 'halted', failed: 0, done: 0, remaining: 4 });
    expect((await rig.batchStatus('halts')).inWork).toHaveLength(2);
    expect(kinds(rig)).toEqual(['trip', 'fuseOpen']);
    expect(rig.stub.endpoint('asr').counters.workCalls).toBe(2);
  });

  it('completes no episode without its speakers', async () => {
    const rig = await halted('speakers');
    expect(await rig.batchStatus('speakers')).toMatchObject({ done: 0, failed: 0 });
    expect(rig.stub.endpoint('diarizer').counters.callsWhileDown).toBe(4);
  });

  it('sends no work while halted, even when the endpoint is well again', async () => {
    const rig = await halted('well');
    const diarize = rig.stub.endpoint('diarizer');
    await diarize.up();
    await sites.temporal.sleep(10 * minuteMs);
    expect(await rig.batchStatus('well')).toMatchObject({ state: 'halted' });
    expect(diarize.counters.workCalls).toBe(4);
  });

  it('lets resume finish every episode without repeating a finished stage', async () => {
    const rig = await halted('resumed');
    await rig.stub.endpoint('diarizer').up();
    await rig.signalBatch('resumed', 'resume');
    await sites.temporal.sleep(10 * minuteMs);
    expect(await rig.batchStatus('resumed')).toMatchObject({ state: 'completed', done: 4, failed: 0 });
    expect(rig.stub.endpoint('asr').counters.workCalls).toBe(4);
    expect(rig.stub.endpoint('diarizer').counters.workCalls).toBe(4 + 4);
    expect(kinds(rig)).toEqual(['trip', 'fuseOpen', 'recovered']);
  });

  it('starts the wait clock anew on resume', async () => {
    const rig = await halted('anew');
    await rig.signalBatch('anew', 'resume');
    await sites.temporal.sleep(14 * minuteMs);
    expect(await rig.batchStatus('anew')).toMatchObject({ state: 'holding' });
    await sites.temporal.sleep(2 * minuteMs);
    expect(await rig.batchStatus('anew')).toMatchObject({ state: 'halted' });
    expect(kinds(rig)).toEqual(['trip', 'fuseOpen', 'fuseOpen']);
  });

  it('changes nothing when resume or abort is repeated', async () => {
    const rig = await halted('repeated');
    await rig.stub.endpoint('diarizer').up();
    for (let times = 0; times < 3; times++) await rig.signalBatch('repeated', 'resume');
    await sites.temporal.sleep(10 * minuteMs);
    expect(await rig.batchStatus('repeated')).toMatchObject({ state: 'completed', done: 4 });
    expect(rig.stub.endpoint('diarizer').counters).toMatchObject({ workCalls: 4 + 4, maxInFlight: 1 });
  });

  it('takes a probe that hangs for failed at its deadline', async () => {
    // Few probes, since each hangs for a second of real time.
    const rig = await site(1, { probeDeadlineSec: 1, probeIntervalSec: 300 });
    rig.stub.endpoint('diarizer').script({ rules: [{ when: { kind: 'probe' }, mode: 'hang' }], default: 'status:503' });
    await rig.startBatch('hung');
    await sites.temporal.sleep(25 * minuteMs);
    expect(await rig.batchStatus('hung')).toMatchObject({ state: 'halted' });
    const afterMs = openedAfterMs(rig);
    expect(afterMs).toBeGreaterThanOrEqual(900 * secondMs);
    expect(afterMs).toBeLessThanOrEqual(932 * secondMs);
    expect(rig.stub.endpoint('diarizer').counters).toMatchObject({ workCalls: 4, maxProbesInFlight: 1 });
  });

  it('opens where the probe works and the work fails: one warning, one error, no loop', async () => {
    const rig = await site(3);
    const diarize = rig.stub.endpoint('diarizer');
    diarize.script({ default: 'ok-for-probe-then-fail:503' });
    await rig.startBatch('half');
    await sites.temporal.sleep(25 * minuteMs);
    expect(await rig.batchStatus('half')).toMatchObject({ state: 'halted', failed: 0 });
    expect(kinds(rig)).toEqual(['trip', 'fuseOpen']);
    expect(diarize.counters.workCalls).toBeLessThanOrEqual(4 + 31);
    const { workCalls } = diarize.counters;
    await sites.temporal.sleep(20 * minuteMs);
    expect(diarize.counters.workCalls).toBe(workCalls);
  });

  it('ends an unattended halt after haltTimeoutSec', async () => {
    const rig = await site(2);
    await rig.stub.endpoint('diarizer').down('status:503');
    await rig.startBatch('unattended', { haltTimeoutSec: 600 });
    await sites.temporal.sleep(40 * minuteMs);
    expect(await rig.failureOf('unattended')).toMatchObject({ type: 'ResilienceFuseOpen' });
    expect((await rig.endpointState('diarizer')).waiting).toEqual([]);
  });
});
