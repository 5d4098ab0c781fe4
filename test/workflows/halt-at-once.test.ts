import type { Rig } from '../support/rig.js';
import { asr, llm, minuteMs, planOf, speaches, timeSkippingSites, vllm } from '../support/sites.js';

describe('a fault that waiting cannot mend, in hold', () => {
  const sites = timeSkippingSites();

  async function site(mode: string): Promise<Rig> {
    return sites.start({
      episodes: 3,
      stub: { asr: speaches, llm: { ...vllm, wrongModel: 'qwen-tiny', script: { default: mode } } },
      plan: planOf('hold', [asr(), llm('summarize')]),
    });
  }

  const faults = [
    ['AccountTerminal', 'status:401'],
    ['AccountTerminal', 'quota-terminal'],
    ['Misconfigured', '404model'],
    ['Misconfigured', 'wrong-model'],
  ] as const;

  it.each(faults)('halts the batch at once as %s after %s, with one alert and no hold', async (failureType, mode) => {
    const rig = await site(mode);
    await rig.startBatch('halted');
    await sites.temporal.sleep(10_000);
    const status = await rig.batchStatus('halted');
    expect(status).toMatchObject({ state: 'halted', done: 0, failed: 0 });
    expect(status.halts).toEqual([expect.objectContaining({ endpointId: 'llm', failureType })]);
    expect(rig.alerts.map(({ alert }) => alert.kind)).toEqual(['blocked']);
    const { workCalls, probeCalls } = rig.stub.endpoint('llm').counters;
    await sites.temporal.sleep(60 * minuteMs);
    expect(rig.stub.endpoint('llm').counters).toMatchObject({ workCalls, probeCalls });
    expect(rig.alerts.map(({ alert }) => alert.kind)).toEqual(['blocked']);
  });

  it.each(['status:401', 'wrong-model'])('takes the stage up again on resume once %s is mended', async (mode) => {
    const rig = await site(mode);
    await rig.startBatch('mended');
    await sites.temporal.sleep(minuteMs);
    expect(await rig.batchStatus('mended')).toMatchObject({ state: 'halted' });
    const { workCalls } = rig.stub.endpoint('llm').counters;
    rig.stub.endpoint('llm').script({});
    await rig.signalBatch('mended', 'resume');
    await sites.temporal.sleep(10 * minuteMs);
    expect(await rig.batchStatus('mended')).toMatchObject({ state: 'completed', done: 3, failed: 0 });
    expect(rig.stub.endpoint('llm').counters.workCalls).toBe(workCalls + 3);
    expect(rig.stub.endpoint('asr').counters.workCalls).toBe(3);
  });

  it('halts again, without a second alert, when resume finds it as it was', async () => {
    const rig = await site('status:401');
    await rig.startBatch('as-it-was');
    await sites.temporal.sleep(minuteMs);
    await rig.signalBatch('as-it-was', 'resume');
    await sites.temporal.sleep(minuteMs);
    // The virtual minute may be over before a busy machine has handled what followed from the order.
    await rig.eventually(async () => (await rig.batchStatus('as-it-was')).state === 'halted');
    expect(await rig.batchStatus('as-it-was')).toMatchObject({ state: 'halted', failed: 0 });
    expect(rig.alerts.map(({ alert }) => alert.kind)).toEqual(['blocked']);
  });

  it('names the model that was asked for and the one that is served', async () => {
    const rig = await site('wrong-model');
    await rig.startBatch('models');
    await sites.temporal.sleep(minuteMs);
    expect((await rig.batchStatus('models')).why).toMatch(/qwen3.*qwen-tiny/);
  });
});
