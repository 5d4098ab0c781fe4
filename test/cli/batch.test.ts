import { getEventListeners } from 'node:events';
import { ApplicationFailure } from '@temporalio/common';
import type { BatchReport } from '../../cli/batch-outcome.js';
import { followBatch } from '../../cli/follow-batch.js';
import { batchWorkflowId } from '../../src/messages.js';
import { holdfast, type Ran } from '../support/holdfast.js';
import { Rig, type RigOptions } from '../support/rig.js';
import { asr, planOf, speaches } from '../support/sites.js';
import { startDevServer, type TestTemporal } from '../support/temporal.js';

describe('holdfast status, watch and the orders', () => {
  let temporal: TestTemporal;
  let rig: Rig;

  beforeAll(async () => {
    temporal = await startDevServer();
  });
  afterEach(() => rig.stop());
  afterAll(() => temporal.stop());

  interface Start {
    readonly episodes: number;
    /** How the service treats each call. */
    readonly mode: string;
    readonly change?: RigOptions['change'];
  }

  async function start(batchId: string, { episodes, mode, change }: Start): Promise<void> {
    const plan = planOf('hold', [asr({ deadlineSec: 300 })]);
    const changed = change === undefined ? {} : { change };
    rig = await Rig.start({ temporal, episodes, stub: { asr: speaches }, plan, ...changed });
    rig.stub.endpoint('asr').script({ default: mode });
    await rig.startBatch(batchId, { window: 4 });
  }

  function run(...args: string[]): Promise<Ran> {
    return holdfast(args, { cwd: rig.corpusDir, env: { TEMPORAL_ADDRESS: temporal.address } });
  }

  it('say who paused or aborted a batch and why, where its corpus is, and no more than is known', async () => {
    await start('orders', { episodes: 5, mode: 'hang' });
    await rig.eventually(async () => (await rig.batchStatus('orders')).inWork.length === 4);
    await run('pause', 'orders', '--reason', 'the GPU is needed until noon');
    const { stdout } = await run('status', 'orders');
    expect(stdout).toContain('Paused by holdfast: the GPU is needed until noon; `resume` goes on.');
    expect(stdout).toContain(`Corpus: ${rig.corpusDir}\n`);

    const report = JSON.parse((await run('status', 'orders', '--json')).stdout) as BatchReport;
    expect(report).toMatchObject({
      ...{ batchId: 'orders', state: 'paused', requested: 5, remaining: 5, failureStrategy: 'hold', endpoints: [] },
      corpusDir: rig.corpusDir,
      profile: expect.stringMatching(/./) as string,
      why: expect.stringContaining('until noon') as string,
    });
    expect(report.episodes[0]).toEqual({
      episodeId: rig.episodeId(0),
      state: 'remaining',
      reason: 'in work',
      stages: [],
    });

    await run('abort', 'orders', '--reason', 'wrong profile');
    const watched = await run('watch', 'orders');
    expect(watched.exitCode).toBe(4);
    expect(watched.stdout).toContain(
      'aborted by an operator: wrong profile. Ended: 0 of 5 episodes done, 5 remaining.',
    );
    expect(watched.stdout).toContain(`Corpus: ${rig.corpusDir}\n`);

    const again = await run('abort', 'orders');
    expect(again.exitCode).toBe(0);
    expect(again.stdout).toContain('aborted by an operator: wrong profile');
    const late = await run('pause', 'orders');
    expect(late.exitCode).toBe(2);
    expect(late.stderr).toContain('there is nothing to pause');
  });

  it('say what the set-up does, and why it is tried again', async () => {
    const listEpisodes = (): never => {
      throw new Error('The feed at http://127.0.0.1:1/feed.xml cannot be reached: ECONNREFUSED');
    };
    await start('set-up', {
      ...{ episodes: 1, mode: 'ok' },
      change: (activities) => ({ ...activities, main: { ...activities.main, listEpisodes } }),
    });
    let stdout = '';
    await rig.eventually(async () => {
      ({ stdout } = await run('status', 'set-up'));
      return stdout.includes('tried again');
    });
    expect(stdout).toBe(
      'Batch set-up: running. Setting up: listing the episodes. Attempt 1 of 4 failed, and it is tried again: ' +
        'The feed at http://127.0.0.1:1/feed.xml cannot be reached: ECONNREFUSED.\n',
    );
  });

  it('say what is known of a batch whose account could not be written', async () => {
    const closeBatch = (): never => {
      throw ApplicationFailure.nonRetryable('batches/unaccounted.json cannot be written: ENOSPC', 'StoreError');
    };
    await start('unaccounted', {
      ...{ episodes: 2, mode: 'status:400' },
      change: (activities) => ({ ...activities, main: { ...activities.main, closeBatch } }),
    });
    const handle = temporal.client.workflow.getHandle(batchWorkflowId('unaccounted'));
    await expect(handle.result()).rejects.toThrow();
    const { stdout } = await run('status', 'unaccounted');
    expect(stdout).toContain('cannot be written: ENOSPC. Ended: 0 of 2 episodes done, 2 failed.');
    expect(stdout).toMatch(/ {2}episode-\d+ failed: transcribe: /);
  });

  it('leave no listener on any signal, however often they ask', async () => {
    let checked = (): void => undefined;
    const isChecked = new Promise<void>((resolve) => (checked = resolve));
    // What runs in a worker of this process would listen to signals too.
    const preflight = (): Promise<{ notes: string[] }> => isChecked.then(() => ({ notes: [] }));
    await start('followed', {
      ...{ episodes: 1, mode: 'ok' },
      change: (activities) => ({ ...activities, main: { ...activities.main, preflight } }),
    });
    await rig.eventually(async () => (await rig.batchStatus('followed')).settingUp === 'checking the tiers');
    const listening = jest.spyOn(EventTarget.prototype, 'addEventListener');
    const following = new AbortController();
    let shown = 0;
    const display = {
      episodesShown: 1,
      show: () => {
        shown += 1;
        if (shown === 3) following.abort();
      },
      showSilence: () => undefined,
      close: () => undefined,
    };
    const followed = followBatch(temporal.client, 'followed', { display, cancellation: following.signal });
    await expect(followed).rejects.toMatchObject({ name: 'AbortError' });
    const targets = new Set(listening.mock.contexts);
    listening.mockRestore();
    expect(targets.has(following.signal)).toBe(true);
    const left = [...targets].flatMap((target) =>
      target instanceof AbortSignal ? getEventListeners(target, 'abort') : [],
    );
    expect(left).toEqual([]);
    checked();
    await temporal.client.workflow.getHandle(batchWorkflowId('followed')).result();
  });
});
