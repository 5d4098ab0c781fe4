import type { RunPlan } from '../../src/run-plan.js';
import type { Stage } from '../../src/stage.js';
import type { Rig, RigOptions } from '../support/rig.js';
import { asr, diarizer, llm, minuteMs, planOf, pyannote, speaches, timeSkippingSites, vllm } from '../support/sites.js';
import { publishedEpisode, stageOf, workCalls } from './support.js';

type Tier = RunPlan['stages'][Stage]['chain'][number];

/** The plan with fields of its tiers changed, by endpoint. */
function withTiers(plan: RigOptions['plan'], changes: Readonly<Record<string, Partial<Tier>>>): RigOptions['plan'] {
  return (facts) => {
    const run = plan(facts);
    for (const { chain } of Object.values(run.stages)) {
      chain.forEach((tier) => Object.assign(tier, changes[tier.endpointId]));
    }
    return run;
  };
}

const policy = { backoffScheduleSec: [0.1] };

describe('two tiers of one provider on two endpoints', () => {
  const sites = timeSkippingSites();

  it('keep their own models, circuits and provenance', async () => {
    const tiers = [asr({ policy, settings: { failureThreshold: 1 } }), asr({ policy, endpointId: 'second' })];
    const provider = 'tailnet_dgx_whisper';
    const rig = await sites.start({
      episodes: 2,
      stub: { asr: speaches, second: { ...speaches, model: 'turbo' } },
      plan: withTiers(planOf('failover', tiers), { asr: { provider }, second: { provider } }),
    });
    rig.stub.endpoint('asr').script({ rules: [{ when: { kind: 'work' }, mode: 'status:503', times: 3 }] });
    await rig.startBatch('b', { window: 1 });
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 2 });
    expect(rig.stub.endpoint('asr').counters.modelsAsked).toEqual(['large-v3']);
    expect(rig.stub.endpoint('second').counters.modelsAsked).toEqual(['turbo']);
    expect(await rig.endpointState('asr')).toMatchObject({ counters: { trips: 1 } });
    expect(await rig.endpointState('second')).toMatchObject({ circuit: 'closed', counters: { trips: 0 } });
    const { provenance } = await stageOf(rig, 'transcribe', 1);
    expect(provenance).toMatchObject({ provider, endpointId: 'second', modelReported: 'turbo', tierIndex: 1 });
  });
});

describe('a tier whose key is missing', () => {
  const sites = timeSkippingSites();

  async function site(cloudLast: boolean): Promise<Rig> {
    const cloud = llm('summarize', { endpointId: 'cloud', cloud: true, policy });
    const text = [
      llm('summarize', { policy }),
      cloud,
      ...(cloudLast ? [] : [llm('summarize', { endpointId: 'third' })]),
    ];
    return sites.start({
      episodes: 1,
      stub: { asr: speaches, llm: vllm, cloud: vllm, third: vllm },
      plan: withTiers(planOf('failover', [asr(), ...text]), { cloud: { apiKeyEnv: 'CLOUD_API_KEY' } }),
    });
  }

  it('is not heard of while it is not needed', async () => {
    const rig = await site(true);
    await rig.startBatch('b');
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 1 });
    expect(JSON.stringify(await publishedEpisode(rig))).not.toContain('CLOUD_API_KEY');
  });

  it('is skipped when its turn comes', async () => {
    const rig = await site(false);
    await rig.stub.endpoint('llm').down();
    await rig.startBatch('b');
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 1 });
    expect(workCalls(rig)).toEqual({ asr: 1, llm: 0, cloud: 0, third: 1 });
    expect((await stageOf(rig, 'summarize')).provenance?.tierIndex).toBe(2);
  });

  it("fails the episode with every tier's error when it was the last", async () => {
    const rig = await site(true);
    await rig.stub.endpoint('llm').down();
    await rig.startBatch('b');
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ failed: 1 });
    const { reason } = await publishedEpisode(rig);
    expect(reason).toMatch(/llm-option at llm: .*; cloud-option at cloud: .*no key, CLOUD_API_KEY is not set/);
    expect(rig.stub.endpoint('cloud').calls).toEqual([]);
  });
});

describe('the coverage that a profile asks for', () => {
  const sites = timeSkippingSites();

  async function site(strategy: 'hold' | 'failover', coverageMin: number): Promise<Rig> {
    const tiers = [asr(), asr({ endpointId: 'second' })];
    const rig = await sites.start({
      episodes: 1,
      stub: { asr: speaches, second: speaches, diarizer: pyannote },
      plan: planOf(strategy, [...(strategy === 'hold' ? tiers.slice(0, 1) : tiers), diarizer()], { coverageMin }),
    });
    rig.stub.endpoint('asr').script({ default: 'half-coverage' });
    await rig.startBatch('b');
    await sites.temporal.sleep(5 * minuteMs);
    return rig;
  }

  it('sends a transcript of too little audio to the next tier, which the corpus names', async () => {
    const rig = await site('failover', 0.85);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 1 });
    expect(workCalls(rig)).toMatchObject({ asr: 1, second: 1 });
    expect((await stageOf(rig, 'transcribe')).optionId).toBe('second-option');
  });

  it('fails the episode as content under hold', async () => {
    const rig = await site('hold', 0.85);
    expect(await rig.batchStatus('b')).toMatchObject({ failed: 1 });
    expect((await publishedEpisode(rig)).reason).toContain('coverage_too_low');
    expect(await rig.endpointState('asr')).toMatchObject({ circuit: 'closed' });
  });

  it('is not looked at where no profile asks for it', async () => {
    const rig = await site('failover', 0);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 1 });
    expect((await stageOf(rig, 'transcribe')).optionId).toBe('asr-option');
  });
});
