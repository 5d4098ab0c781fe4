import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { batchRecordSchema } from '../../src/batch.js';
import { callBudgetPath } from '../../src/corpus-layout.js';
import { asr, llm, minuteMs, planOf, speaches, timeSkippingSites, vllm } from '../support/sites.js';
import { publishedEpisode, workCalls } from './support.js';

const endpointIds = ['a', 'b', 'c', 'd'];

describe('the call budget of an episode', () => {
  const sites = timeSkippingSites();

  it('counts retries, re-rolls and tiers alike, and the eleventh call is not sent', async () => {
    const tiers = [asr(), ...endpointIds.map((endpointId) => llm('summarize', { endpointId }))];
    const stub = { asr: speaches, ...Object.fromEntries(endpointIds.map((id) => [id, vllm])) };
    const plan = planOf('failover', tiers, { callBudgetPerEpisode: 10 });
    const rig = await sites.start({ episodes: 1, stub, plan });
    for (const id of ['a', 'b'])
      rig.stub.endpoint(id).script({ rules: [{ when: { kind: 'work' }, mode: 'status:503' }] });
    rig.stub.endpoint('c').script({ default: 'bad-json' });
    await rig.startBatch('b');
    await sites.temporal.sleep(5 * minuteMs);
    expect(workCalls(rig)).toEqual({ asr: 1, a: 4, b: 4, c: 2, d: 0 });
    expect(await rig.batchStatus('b')).toMatchObject({ failed: 1 });
    expect((await publishedEpisode(rig)).reason).toContain('budget of 10 LLM calls is used up');
  });

  it('lets the last call that it has be the last that is needed', async () => {
    const plan = planOf('hold', [asr(), llm('summarize')], { callBudgetPerEpisode: 2 });
    const rig = await sites.start({ episodes: 1, stub: { asr: speaches, llm: vllm }, plan });
    rig.stub.endpoint('llm').script({ steps: [{ mode: 'bad-json' }] });
    await rig.startBatch('b');
    await sites.temporal.sleep(minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 1 });
  });
});

describe('the call budget of a batch', () => {
  const sites = timeSkippingSites();

  it('starts nothing more once it is used up, and accounts for every episode', async () => {
    const plan = planOf('hold', [asr(), llm('summarize')], { callBudgetPerBatch: 3 });
    const rig = await sites.start({ episodes: 4, stub: { asr: speaches, llm: vllm }, plan });
    rig.stub.endpoint('llm').script({ steps: [{ mode: 'bad-json' }] });
    await rig.startBatch('b', { window: 1 });
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'failed', done: 2, failed: 2, remaining: 0 });
    expect(workCalls(rig)).toEqual({ asr: 2, llm: 3 });
    const text = await readFile(path.join(rig.corpusDir, 'batches', 'b.json'), 'utf8');
    const { episodes } = batchRecordSchema.parse(JSON.parse(text));
    expect(episodes.map(({ llmCalls, failureType }) => llmCalls ?? failureType)).toEqual([
      2,
      1,
      'CallBudgetExhausted',
      'CallBudgetExhausted',
    ]);
  });

  it('is 10,000 calls for three episodes where the plan states none', async () => {
    const plan = planOf('hold', [asr(), llm('summarize')], { callBudgetPerEpisode: 20_000 });
    const rig = await sites.start({ episodes: 3, stub: { asr: speaches, llm: vllm }, plan });
    // As many calls as an earlier attempt at the first episode would have left behind.
    const count = path.join(rig.corpusDir, callBudgetPath('b', { feedId: 'feed', episodeId: rig.episodeId(0) }));
    await mkdir(path.dirname(count), { recursive: true });
    await writeFile(count, '.'.repeat(9998));
    await rig.startBatch('b', { window: 1 });
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'failed', done: 2, failed: 1 });
    expect(workCalls(rig)).toEqual({ asr: 2, llm: 2 });
    expect((await rig.batchStatus('b')).lastFailures).toMatchObject([
      { episodeId: rig.episodeId(2), reason: expect.stringContaining("batch's budget of 10000 LLM calls") as unknown },
    ]);
  });
});
