import type { Rig } from '../support/rig.js';
import { asr, llm, minuteMs, planOf, speaches, timeSkippingSites, vllm } from '../support/sites.js';

describe('the text stages in hold', () => {
  const sites = timeSkippingSites();

  function site(episodes: number, capacity = 1): Promise<Rig> {
    const settings = { capacity };
    const texts = (['summarize', 'gi', 'kg'] as const).map((stage) => llm(stage, { settings }));
    return sites.start({ episodes, stub: { asr: speaches, llm: vllm }, plan: planOf('hold', [asr(), ...texts]) });
  }

  it('wait for a refused port: no episode fails, one alert each for trip and fuse, and resume finishes all', async () => {
    const rig = await site(5);
    await rig.stub.endpoint('llm').down('refuse');
    await rig.startBatch('refused');
    await sites.temporal.sleep(20 * minuteMs);
    expect(await rig.batchStatus('refused')).toMatchObject({ state: 'halted', done: 0, failed: 0 });
    expect(rig.alerts.map(({ alert }) => alert.kind)).toEqual(['trip', 'fuseOpen']);
    await rig.stub.endpoint('llm').up();
    await rig.signalBatch('refused', 'resume');
    await sites.temporal.sleep(10 * minuteMs);
    expect(await rig.batchStatus('refused')).toMatchObject({ state: 'completed', done: 5, failed: 0 });
    expect(rig.stub.endpoint('asr').counters.workCalls).toBe(5);
  });

  it('wait out bursts of 503 without an alert', async () => {
    const rig = await site(3, 3);
    rig.stub.endpoint('llm').script({
      steps: [{ times: 2 }, { mode: 'status:503', times: 3 }, { times: 5 }, { mode: 'status:503', times: 2 }],
    });
    await rig.startBatch('bursts');
    await sites.temporal.sleep(20 * minuteMs);
    expect(await rig.batchStatus('bursts')).toMatchObject({ state: 'completed', done: 3, failed: 0 });
    expect(rig.alerts).toEqual([]);
    expect(rig.stub.endpoint('asr').counters.workCalls).toBe(3);
  });

  it('ask one model only, through outage and recovery', async () => {
    const rig = await site(2);
    await rig.stub.endpoint('llm').down('status:503');
    await rig.startBatch('one-model');
    await sites.temporal.sleep(10 * minuteMs);
    await rig.stub.endpoint('llm').up();
    await sites.temporal.sleep(10 * minuteMs);
    expect(await rig.batchStatus('one-model')).toMatchObject({ state: 'completed', done: 2 });
    expect(rig.stub.endpoint('llm').counters.modelsAsked).toEqual(['qwen3']);
    expect(rig.stub.endpoint('llm').counters.callsWhileDown).toBe(4);
  });
});
