import { recordAttempts, waitsSec, type AttemptRecord } from '../support/attempts.js';
import type { Rig } from '../support/rig.js';
import { asr, llm, minuteMs, planOf, speaches, timeSkippingSites, vllm } from '../support/sites.js';
import { workCalls } from './support.js';

const retryAfterForms = [
  'status:503',
  'status:503,retry-after=2',
  'status:503,retry-after=1.5',
  'status:503,retry-after=date+2',
  'status:503,retry-after=date-30',
  'status:503,retry-after=soon',
  'status:503,retry-after-ms=1500',
  'plain503',
  'loading',
];

describe('a burst of 503 from a language model', () => {
  const sites = timeSkippingSites();

  async function site(strategy: 'hold' | 'failover'): Promise<Rig> {
    const tiers = [asr(), llm('summarize'), llm('summarize', { endpointId: 'second' })];
    const plan = planOf(strategy, strategy === 'hold' ? tiers.slice(0, 2) : tiers);
    return sites.start({ episodes: 1, stub: { asr: speaches, llm: vllm, second: vllm }, plan });
  }

  describe.each(['hold', 'failover'] as const)('under %s', (strategy) => {
    it.each(retryAfterForms)('is waited out at the same endpoint (%s)', async (mode) => {
      const rig = await site(strategy);
      rig.stub.endpoint('llm').script({ steps: [{ mode, times: 3 }] });
      await rig.startBatch('b');
      await sites.temporal.sleep(8 * minuteMs);
      expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 1 });
      expect(workCalls(rig)).toEqual({ asr: 1, llm: 4, second: 0 });
      expect(await rig.endpointState('llm')).toMatchObject({ circuit: 'closed', counters: { trips: 0 } });
      expect(rig.alerts).toEqual([]);
    });
  });
});

describe('a service that says with its 503 when to come back', () => {
  const sites = timeSkippingSites();

  it.each([
    [5, [5, 8]],
    [600, [8, 8]],
    [0.1, [1, 8]],
  ])('after %d s is heard as far as the schedule goes', async (askedSec, waits) => {
    const attempts: AttemptRecord[] = [];
    const rig = await sites.start({
      episodes: 1,
      stub: { asr: speaches, llm: vllm },
      plan: planOf('hold', [asr(), llm('summarize', { policy: { backoffScheduleSec: [1, 8] } })]),
      change: recordAttempts(sites.temporal, attempts),
    });
    rig.stub.endpoint('llm').script({ steps: [{ mode: `status:503,retry-after=${askedSec}`, times: 2 }] });
    await rig.startBatch('b');
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 1 });
    expect(waitsSec(attempts.filter(({ activity }) => activity === 'summarize'))).toEqual(waits);
  });
});

describe('a language model whose port is closed, under hold', () => {
  const sites = timeSkippingSites();

  it('halts the batch with one error, and resume finishes all five episodes without transcribing again', async () => {
    const plan = planOf('hold', [asr({ settings: { capacity: 2 } }), llm('summarize')]);
    const rig = await sites.start({ episodes: 5, stub: { asr: speaches, llm: vllm }, plan });
    await rig.stub.endpoint('llm').down();
    await rig.startBatch('b', { window: 5 });
    await sites.temporal.sleep(30 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'halted', done: 0, failed: 0 });
    expect(rig.alerts.map(({ alert }) => alert.kind)).toEqual(['trip', 'fuseOpen']);
    const transcribed = rig.stub.endpoint('asr').counters.workCalls;
    await rig.stub.endpoint('llm').up();
    await rig.signalBatch('b', 'resume');
    await sites.temporal.sleep(10 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 5, failed: 0 });
    expect(workCalls(rig)).toMatchObject({ asr: 5, llm: 5 });
    expect(transcribed).toBe(5);
  });
});
