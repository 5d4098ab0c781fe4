import type { TestTier } from '../support/plans.js';
import type { Rig } from '../support/rig.js';
import { asr, diarizer, llm, minuteMs, planOf, pyannote, speaches, timeSkippingSites, vllm } from '../support/sites.js';
import { publishedEpisode, stageOf, workCalls } from './support.js';

/** The schedule of failover with its waits made short; a hard timeout is never retried whatever it says. */
const policy = { backoffScheduleSec: [0.1] };

/** Which failures send a speech stage to its next tier; the stub's mode, and calls the first tier sees. */
const cascading: [string, number][] = [
  ['status:503', 3],
  ['status:500', 3],
  ['status:408', 3],
  ['rate-limit,retry-after=60', 1],
  ['reset', 3],
  ['hang', 1],
  ['empty', 1],
];
const rejected = ['status:400', '413', 'status:415', 'status:422'];

describe('the chain of transcription', () => {
  const sites = timeSkippingSites();

  async function site(): Promise<Rig> {
    const tiers = [asr({ policy, deadlineSec: 1 }), asr({ policy, endpointId: 'second' })];
    return sites.start({ episodes: 1, stub: { asr: speaches, second: speaches }, plan: planOf('failover', tiers) });
  }

  it.each(cascading)('goes on to the next tier after %s', async (mode, calls) => {
    const rig = await site();
    rig.stub.endpoint('asr').script({ rules: [{ when: { kind: 'work' }, mode }] });
    await rig.startBatch('b');
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 1 });
    expect(workCalls(rig)).toEqual({ asr: calls, second: 1 });
    const { optionId, provenance } = await stageOf(rig, 'transcribe');
    expect({ optionId, tier: provenance?.tierIndex }).toEqual({ optionId: 'second-option', tier: 1 });
  });

  it('goes on to the next tier after a refused connection', async () => {
    const rig = await site();
    await rig.stub.endpoint('asr').down();
    await rig.startBatch('b');
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 1 });
    expect((await stageOf(rig, 'transcribe')).endpointId).toBe('second');
  });

  it.each(rejected)('fails the episode on %s, and asks no next tier', async (mode) => {
    const rig = await site();
    rig.stub.endpoint('asr').script({ rules: [{ when: { kind: 'work' }, mode }] });
    await rig.startBatch('b');
    await sites.temporal.sleep(minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'failed', done: 0, failed: 1 });
    expect(workCalls(rig)).toEqual({ asr: 1, second: 0 });
    expect(await rig.endpointState('asr')).toMatchObject({ circuit: 'closed' });
  });

  it('halts the batch on 404, and asks no next tier', async () => {
    const rig = await site();
    rig.stub.endpoint('asr').script({ rules: [{ when: { kind: 'work' }, mode: '404model' }] });
    await rig.startBatch('b');
    await sites.temporal.sleep(minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'halted', failed: 0 });
    expect(workCalls(rig)).toEqual({ asr: 1, second: 0 });
  });

  it("ends the episode with every tier's error when it is used up", async () => {
    const rig = await site();
    rig.stub.endpoint('asr').script({ rules: [{ when: { kind: 'work' }, mode: 'status:500' }] });
    rig.stub.endpoint('second').script({ rules: [{ when: { kind: 'work' }, mode: 'status:503' }] });
    await rig.startBatch('b');
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'failed', failed: 1 });
    const { reason } = await publishedEpisode(rig);
    expect(reason).toMatch(/asr-option at asr: .*HTTP 500.*; second-option at second: .*HTTP 503/);
  });

  it('skips a tier whose circuit is open, without a call', async () => {
    const tiers = [asr({ policy, settings: { failureThreshold: 1 } }), asr({ policy, endpointId: 'second' })];
    const stub = { asr: speaches, second: speaches };
    const rig = await sites.start({ episodes: 3, stub, plan: planOf('failover', tiers) });
    rig.stub.endpoint('asr').script({ rules: [{ when: { kind: 'work' }, mode: 'status:503' }] });
    await rig.startBatch('b', { window: 1 });
    await sites.temporal.sleep(minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 3 });
    expect(workCalls(rig)).toEqual({ asr: 3, second: 3 });
  });
});

describe('the chain of diarization', () => {
  const sites = timeSkippingSites();

  async function site(): Promise<Rig> {
    const tiers = [asr(), diarizer({ policy, deadlineSec: 1 }), diarizer({ policy, endpointId: 'second' })];
    const stub = { asr: speaches, diarizer: pyannote, second: pyannote };
    return sites.start({ episodes: 1, stub, plan: planOf('failover', tiers) });
  }

  it.each([...cascading.filter(([mode]) => mode !== 'empty'), ['bad-times', 1] as [string, number]])(
    'goes on to the next tier after %s, and transcribes once',
    async (mode, calls) => {
      const rig = await site();
      rig.stub.endpoint('diarizer').script({ rules: [{ when: { kind: 'work' }, mode }] });
      await rig.startBatch('b');
      await sites.temporal.sleep(5 * minuteMs);
      expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 1 });
      expect(workCalls(rig)).toEqual({ asr: 1, diarizer: calls, second: 1 });
      expect((await stageOf(rig, 'diarize')).optionId).toBe('second-option');
    },
  );

  it.each(['413', 'no-speech-422'])('fails the episode on %s, and asks no next tier', async (mode) => {
    const rig = await site();
    rig.stub.endpoint('diarizer').script({ rules: [{ when: { kind: 'work' }, mode }] });
    await rig.startBatch('b');
    await sites.temporal.sleep(minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'failed', failed: 1 });
    expect(workCalls(rig)).toEqual({ asr: 1, diarizer: 1, second: 0 });
  });
});

describe('the chain of a text stage', () => {
  const sites = timeSkippingSites();
  const short: Partial<TestTier> = { policy, deadlineSec: 1 };

  async function site(): Promise<Rig> {
    const tiers = [asr(), llm('summarize', short), llm('summarize', { policy, endpointId: 'second' })];
    const stub = { asr: speaches, llm: vllm, second: vllm };
    return sites.start({ episodes: 1, stub, plan: planOf('failover', tiers) });
  }

  it('goes on to the next tier after a refused connection, and transcribes once', async () => {
    const rig = await site();
    await rig.stub.endpoint('llm').down();
    await rig.startBatch('b');
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 1 });
    expect(workCalls(rig)).toEqual({ asr: 1, llm: 0, second: 1 });
    expect((await stageOf(rig, 'summarize')).optionId).toBe('second-option');
  });

  it.each<[string, number]>([
    ['status:503', 4],
    ['status:500', 4],
    ['reset', 4],
    ['hang', 1],
    ['rate-limit,retry-after=60', 1],
    ['status:400', 1],
    ['413', 1],
    ['status:422', 1],
    ['status:401', 1],
    ['404model', 1],
    ['quota-terminal', 1],
    ['refusal', 1],
    ['wrong-model', 1],
    ['bad-json', 2],
  ])('goes on to the next tier after %s', async (mode, calls) => {
    const rig = await site();
    rig.stub.endpoint('llm').script({ rules: [{ when: { kind: 'work' }, mode }] });
    await rig.startBatch('b');
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 1 });
    expect(workCalls(rig)).toEqual({ asr: 1, llm: calls, second: 1 });
    expect((await stageOf(rig, 'summarize')).optionId).toBe('second-option');
  });
});
