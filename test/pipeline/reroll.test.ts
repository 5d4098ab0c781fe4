import type { TestTier } from '../support/plans.js';
import type { Rig } from '../support/rig.js';
import { asr, diarizer, llm, minuteMs, planOf, pyannote, speaches, timeSkippingSites, vllm } from '../support/sites.js';
import { publishedEpisode, stageOf, workCalls } from './support.js';

describe('a summary that is cut', () => {
  const sites = timeSkippingSites();

  async function site(strategy: 'hold' | 'failover', episodes = 1): Promise<Rig> {
    const text: TestTier[] = [llm('summarize'), llm('summarize', { endpointId: 'second' })];
    const tiers = [asr(), diarizer(), ...(strategy === 'hold' ? text.slice(0, 1) : text)];
    const stub = { asr: speaches, diarizer: pyannote, llm: vllm, second: { ...vllm, model: 'gemma3' } };
    return sites.start({ episodes, stub, plan: planOf(strategy, tiers) });
  }

  async function expectNoTrip(rig: Rig, ...endpointIds: string[]): Promise<void> {
    for (const endpointId of endpointIds) {
      expect(await rig.endpointState(endpointId)).toMatchObject({ circuit: 'closed', counters: { trips: 0 } });
    }
    expect(rig.alerts).toEqual([]);
  }

  it.each(['hold', 'failover'] as const)(
    'is asked for once more at the same endpoint and model (%s)',
    async (strategy) => {
      const rig = await site(strategy);
      rig.stub.endpoint('llm').script({ steps: [{ mode: 'truncate+length' }] });
      await rig.startBatch('b');
      await sites.temporal.sleep(5 * minuteMs);
      expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 1 });
      expect(workCalls(rig)).toEqual({ asr: 1, diarizer: 1, llm: 2, second: 0 });
      expect(rig.stub.endpoint('llm').counters.modelsAsked).toEqual(['qwen3']);
      expect(await stageOf(rig, 'summarize')).toMatchObject({
        outcome: 'executed',
        attempts: 2,
        rerolls: 1,
        endpointId: 'llm',
      });
      await expectNoTrip(rig, 'asr', 'diarizer', 'llm');
    },
  );

  it('twice, goes to the next tier once under failover', async () => {
    const rig = await site('failover');
    rig.stub.endpoint('llm').script({ default: 'truncate+length' });
    await rig.startBatch('b');
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 1 });
    expect(workCalls(rig)).toEqual({ asr: 1, diarizer: 1, llm: 2, second: 1 });
    const { provenance } = await stageOf(rig, 'summarize');
    expect(provenance).toMatchObject({ tierIndex: 1, optionId: 'second-option', modelReported: 'gemma3' });
  });

  it('everywhere, is asked for twice at each tier, and then the episode fails', async () => {
    const rig = await site('failover');
    for (const id of ['llm', 'second']) rig.stub.endpoint(id).script({ default: 'truncate+length' });
    await rig.startBatch('b');
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'failed', done: 0, failed: 1 });
    expect(workCalls(rig)).toEqual({ asr: 1, diarizer: 1, llm: 2, second: 2 });
    expect((await publishedEpisode(rig)).reason).toMatch(/llm-option at llm: .*; second-option at second: /);
    await expectNoTrip(rig, 'llm', 'second');
  });

  it('twice, fails its episode as content under hold, and the batch goes on', async () => {
    const rig = await site('hold', 2);
    rig.stub.endpoint('llm').script({ steps: [{ mode: 'truncate+length', times: 2 }] });
    await rig.startBatch('b', { window: 1 });
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'failed', done: 1, failed: 1 });
    expect(workCalls(rig)).toEqual({ asr: 2, diarizer: 2, llm: 3, second: 0 });
    expect(await publishedEpisode(rig)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('summar') as unknown,
    });
    await expectNoTrip(rig, 'asr', 'diarizer', 'llm');
  });
});
