import type { TestTier } from '../support/plans.js';
import { Rig, type RigOptions } from '../support/rig.js';
import { asr, llm, minuteMs, planOf, speaches, vllm } from '../support/sites.js';
import { startTimeSkipping, type TestTemporal } from '../support/temporal.js';

const speechModes = {
  goOn: ['status:503', 'reset', 'bad-schema', 'zero-segments'],
  reject: ['status:400', '413', 'status:422'],
  halt: ['status:401', 'status:402', '404model', 'status:501'],
} as const;
const textModes = {
  goOn: ['status:503', '400context', 'truncate+length', 'bad-json', 'refusal'],
  alert: ['status:401', 'quota-terminal', '404model', 'wrong-model'],
} as const;

const allSpeech = Object.values(speechModes).flat();
const allText = Object.values(textModes).flat();

/**
 * The failover columns of the table in design.md section 4, each row played by a service of its own: the site is
 * shared, and the batch's id says whose turn it is.
 */
describe('the cascade under failover', () => {
  let temporal: TestTemporal;
  let rig: Rig;

  beforeAll(async () => {
    temporal = await startTimeSkipping();
    const speech = allSpeech.map((mode, n) => [`asr-${n}`, { ...speaches, script: { default: mode } }] as const);
    const text = allText.map((mode, n) => [`llm-${n}`, { ...vllm, script: { default: mode } }] as const);
    rig = await Rig.start({
      temporal,
      episodes: 1,
      stub: {
        ...Object.fromEntries<RigOptions['stub'][string]>([...speech, ...text]),
        'next-asr': speaches,
        'next-llm': vllm,
      },
      plan: ({ batchId, ...facts }) => planOf('failover', tiersOf(batchId))({ batchId, ...facts }),
    });
  });
  afterAll(async () => {
    await rig.stop();
    await temporal.stop();
  });

  function tiersOf(first: string): TestTier[] {
    if (first.startsWith('asr')) return [asr({ endpointId: first }), asr({ endpointId: 'next-asr' })];
    const texts = [first, 'next-llm'].map((endpointId) => llm('summarize', { endpointId }));
    return [asr({ endpointId: 'next-asr' }), ...texts];
  }

  /** Runs a batch whose first tier has this fault. */
  async function play(first: string): Promise<{ calls: number; next: number; alerts: string[] }> {
    const next = rig.stub.endpoint(first.startsWith('asr') ? 'next-asr' : 'next-llm');
    const before = next.counters.workCalls;
    await rig.startBatch(first);
    await temporal.sleep(2 * minuteMs);
    return {
      calls: rig.stub.endpoint(first).counters.workCalls,
      next: next.counters.workCalls - before,
      alerts: rig.alerts.filter(({ endpointId }) => endpointId === first).map(({ alert }) => alert.kind),
    };
  }

  const speechEndpoint = (mode: string): string => `asr-${allSpeech.findIndex((other) => other === mode)}`;
  const textEndpoint = (mode: string): string => `llm-${allText.findIndex((other) => other === mode)}`;

  it.each(speechModes.goOn)('takes speech to the next tier after %s', async (mode) => {
    const batch = speechEndpoint(mode);
    expect(await play(batch)).toMatchObject({ next: 1 });
    expect(await rig.batchStatus(batch)).toMatchObject({ done: 1, failed: 0 });
  });

  it.each(speechModes.reject)('fails the episode, and asks no other tier, after %s', async (mode) => {
    const batch = speechEndpoint(mode);
    expect(await play(batch)).toEqual({ calls: 1, next: 0, alerts: [] });
    expect(await rig.batchStatus(batch)).toMatchObject({ done: 0, failed: 1 });
  });

  it.each(speechModes.halt)('halts a batch whose speech tier needs a person after %s', async (mode) => {
    const batch = speechEndpoint(mode);
    expect(await play(batch)).toEqual({ calls: 1, next: 0, alerts: ['blocked'] });
    expect(await rig.batchStatus(batch)).toMatchObject({ state: 'halted', failed: 0 });
  });

  it.each(textModes.goOn)('takes text to the next tier after %s', async (mode) => {
    const batch = textEndpoint(mode);
    expect(await play(batch)).toMatchObject({ next: 1 });
    expect(await rig.batchStatus(batch)).toMatchObject({ done: 1, failed: 0 });
  });

  it.each(textModes.alert)('takes text to the next tier, with an alert, after %s', async (mode) => {
    const batch = textEndpoint(mode);
    expect(await play(batch)).toEqual({ calls: 1, next: 1, alerts: ['blocked'] });
    expect(await rig.batchStatus(batch)).toMatchObject({ done: 1, failed: 0 });
  });
});
