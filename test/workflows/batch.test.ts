import { batchWorkflowId, messageNames } from '../../src/messages.js';
import type { BatchProgress } from '../../src/batch-status.js';
import { keys } from '../../workflows/search-attribute-keys.js';
import type { Rig } from '../support/rig.js';
import { asr, llm, minuteMs, planOf, secondMs, speaches, timeSkippingSites, vllm } from '../support/sites.js';

describe('reprocessBatch', () => {
  const sites = timeSkippingSites();
  const stub = { asr: speaches };

  function speech(episodes: number): Promise<Rig> {
    return sites.start({ episodes, stub, plan: planOf('hold', [asr()]) });
  }

  function update(batchId: string, name: string, payload: unknown): Promise<BatchProgress> {
    const handle = sites.temporal.client.workflow.getHandle(batchWorkflowId(batchId));
    return handle.executeUpdate<BatchProgress, [unknown]>(name, { args: [payload] });
  }

  it('continues as new, accounts for all of 500 episodes, and keeps what the checks before had to say', async () => {
    const notes = ['no key for a tier that may never be used'];
    // Without stages: what is looked at is the batch.
    const rig = await sites.start({
      episodes: 500,
      stub,
      plan: planOf('hold', []),
      change: (activities) => ({
        ...activities,
        main: { ...activities.main, preflight: () => Promise.resolve({ notes }) },
      }),
    });
    await rig.startBatch('many', { window: 50 });
    const handle = sites.temporal.client.workflow.getHandle(batchWorkflowId('many'));
    const first = (await handle.describe()).runId;
    const result: unknown = await handle.result();
    expect(result).toMatchObject({
      state: 'completed',
      requested: 500,
      done: 500,
      failed: 0,
      skipped: 0,
      remaining: 0,
    });
    expect((await handle.describe()).runId).not.toBe(first);
    expect((await rig.batchStatus('many')).notes).toEqual(notes);
  }, 300_000);

  it('starts nothing while paused, and goes on by resume', async () => {
    const rig = await speech(4);
    const service = rig.stub.endpoint('asr');
    service.script({ default: 'slow:500ms' });
    await rig.startBatch('paused', { window: 2 });
    await rig.eventually(() => service.counters.workCalls === 1);
    await rig.signalBatch('paused', 'pause');
    await sites.temporal.sleep(30 * minuteMs);
    const { workCalls } = service.counters;
    expect(workCalls).toBeLessThanOrEqual(2);
    expect(await rig.batchStatus('paused')).toMatchObject({ state: 'paused', failed: 0 });
    await sites.temporal.sleep(30 * minuteMs);
    expect(service.counters.workCalls).toBe(workCalls);
    await rig.signalBatch('paused', 'resume');
    await sites.temporal.sleep(minuteMs);
    expect(await rig.batchStatus('paused')).toMatchObject({ state: 'completed', done: 4 });
    expect(service.counters.workCalls).toBe(4);
  });

  it('leaves the endpoint to others while paused between two stages of it', async () => {
    const rig = await sites.start({
      episodes: 1,
      stub: { asr: speaches, llm: vllm },
      plan: planOf('hold', [asr(), llm('summarize'), llm('gi')]),
    });
    const service = rig.stub.endpoint('llm');
    service.script({ steps: [{ mode: 'slow:1s' }] });
    await rig.startBatch('paused');
    await rig.eventually(() => service.counters.workCalls === 1);
    await rig.signalBatch('paused', 'pause');
    await sites.temporal.sleep(10 * secondMs);
    expect(await rig.endpointState('llm')).toMatchObject({ held: [], waiting: [] });
    await rig.startBatch('other');
    await sites.temporal.sleep(minuteMs);
    expect(await rig.batchStatus('other')).toMatchObject({ state: 'completed', done: 1 });
    await rig.signalBatch('paused', 'resume');
    await sites.temporal.sleep(minuteMs);
    expect(await rig.batchStatus('paused')).toMatchObject({ state: 'completed', done: 1 });
  });

  it('answers updates, and refuses a window that cannot be', async () => {
    const rig = await speech(3);
    const service = rig.stub.endpoint('asr');
    service.script({ steps: [{ mode: 'slow:3s' }] });
    await rig.startBatch('updates', { window: 1 });
    await rig.eventually(() => service.counters.workCalls === 1);
    const { pause, resume, setWindow } = messageNames.batch.updates;
    expect(await update('updates', pause, {})).toMatchObject({ state: 'paused', inWork: [rig.episodeId(0)] });
    expect(await update('updates', resume, {})).toMatchObject({ state: 'running' });
    expect(await update('updates', setWindow, 3)).toMatchObject({ window: 3 });
    await expect(update('updates', setWindow, 0)).rejects.toMatchObject({
      cause: { message: expect.stringContaining('setWindow') as string },
    });
    await sites.temporal.sleep(minuteMs);
    expect(await rig.batchStatus('updates')).toMatchObject({ state: 'completed', done: 3, window: 3 });
  });

  it('says that a batch waits at an endpoint that was isolated before, and goes on when that is reset', async () => {
    const rig = await speech(2);
    await rig.startBatch('before');
    await sites.temporal.sleep(minuteMs);
    await rig.signalEndpoint('asr', 'isolate', { reason: 'trying out' });
    await rig.startBatch('isolated');
    await sites.temporal.sleep(30 * minuteMs);
    const status = await rig.batchStatus('isolated');
    expect(status.state).toBe('holding');
    expect(status.why).toMatch(
      /^Holding for endpoint asr, isolated by an operator since .* \(trying out\); .*reset asr/,
    );
    const handle = sites.temporal.client.workflow.getHandle(batchWorkflowId('isolated'));
    expect((await handle.describe()).typedSearchAttributes.get(keys.state)).toBe('holding');
    const episode = await rig.episodeWorkflow('isolated', 0).describe();
    expect(episode.typedSearchAttributes.get(keys.state)).toBe('holding');
    await rig.signalEndpoint('asr', 'reset');
    await sites.temporal.sleep(minuteMs);
    expect(await rig.batchStatus('isolated')).toMatchObject({ state: 'completed', done: 2 });
  });

  it('keeps an order that comes during the set-up, with who gave it and why', async () => {
    let listed = (): void => undefined;
    const lists = new Promise<void>((resolve) => (listed = resolve));
    const rig = await sites.start({
      episodes: 2,
      stub,
      plan: planOf('hold', [asr()]),
      change: (activities) => ({
        ...activities,
        main: {
          ...activities.main,
          preflight: async (input) => {
            await lists;
            return activities.main.preflight(input);
          },
        },
      }),
    });
    await rig.startBatch('early');
    await rig.eventually(async () => (await rig.batchStatus('early')).why === 'Setting up: checking the tiers.');
    await update('early', messageNames.batch.updates.setWindow, 1);
    await update('early', messageNames.batch.updates.pause, { by: 'ada', reason: 'the GPU is needed until noon.' });
    listed();
    await rig.eventually(async () => (await rig.batchStatus('early')).requested === 2);
    expect(await rig.batchStatus('early')).toMatchObject({
      state: 'paused',
      window: 1,
      inWork: [],
      why: 'Paused by ada: the GPU is needed until noon; `resume` goes on.',
      lastOrder: { order: 'pause', by: 'ada' },
      corpusDir: rig.corpusDir,
    });
    await rig.signalBatch('early', 'abort', { reason: 'wrong profile' });
    expect((await rig.failureOf('early')).message).toBe('aborted by an operator: wrong profile');
  });

  it('refuses bad input at once, naming every fault', async () => {
    const rig = await speech(1);
    await rig.startBatch('bad', { source: { feeds: 'x' }, window: 0, profil: 'local' } as object);
    expect(await rig.failureOf('bad')).toMatchObject({
      type: 'InvalidInput',
      message: expect.stringMatching(/(?=.*source)(?=.*window)(?=.*profil)/s) as string,
    });
  });

  it('shows a misspelt signal and a payload that does not parse, and goes on', async () => {
    const rig = await speech(1);
    const service = rig.stub.endpoint('asr');
    service.script({ steps: [{ mode: 'slow:2s' }] });
    await rig.startBatch('misspelt');
    await rig.eventually(() => service.counters.workCalls === 1);
    await rig.signalBatch('misspelt', 'resum');
    await rig.signalBatch('misspelt', 'fuseOpen', { endpoint: 7 });
    await sites.temporal.sleep(minuteMs);
    const status = await rig.batchStatus('misspelt');
    expect(status).toMatchObject({ state: 'completed', done: 1 });
    expect(status.unknownMessages).toEqual([
      expect.stringContaining('resum: no such signal'),
      expect.stringMatching(/^fuseOpen: .*endpointId/s),
    ]);
  });

  it('halts when too many episodes fail, and not again for the same ones after resume', async () => {
    const rig = await speech(6);
    rig.stub.endpoint('asr').script({ steps: [{ mode: 'status:400', times: 3 }] });
    await rig.startBatch('share', { window: 1, haltOnFailedShare: 0.5 });
    await sites.temporal.sleep(minuteMs);
    expect(await rig.batchStatus('share')).toMatchObject({ state: 'halted', failed: 3, done: 0, remaining: 3 });
    await rig.signalBatch('share', 'resume');
    await sites.temporal.sleep(minuteMs);
    expect(await rig.batchStatus('share')).toMatchObject({ state: 'failed', failed: 3, done: 3, remaining: 0 });
  });
});
