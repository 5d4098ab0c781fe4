import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BatchReport } from '../../cli/batch-outcome.js';
import type { BatchInput } from '../../src/batch.js';
import { batchWorkflowId, endpointWorkflowId } from '../../src/messages.js';
import { prepared } from '../support/prepared.js';
import { DrillSite, until } from './drill-site.js';

const { cli } = prepared();
/** Where no program of ours was to be had, there is none to run here. */
const hasCli = cli.type === 'existing-path';

/** The rows of docs/operations.md, "Temporal's own verbs", that no other drill has. */
(hasCli ? describe : describe.skip)(`Temporal's own verbs${hasCli ? '' : ' (skipped: no program of ours)'}`, () => {
  let drill: DrillSite;
  const speaches = (): ReturnType<DrillSite['endpoint']> => drill.endpoint('dgx-speaches');
  const workflow = (id: string): string[] => ['--workflow-id', id];

  beforeAll(async () => {
    drill = await DrillSite.start({ episodes: 3, endpoints: { 'dgx-speaches': { capacity: 2 } } });
  });
  afterAll(() => drill.stop());

  async function temporal(...args: string[]): Promise<string> {
    if (cli.type !== 'existing-path') throw new Error('the SDK keeps its own download of the CLI to itself');
    return (await promisify(execFile)(cli.path, [...args, '--address', drill.address])).stdout;
  }

  /** Starts a batch and returns with its first two episodes, when their calls are in flight; these take so long. */
  async function startBatch(
    batchId: string,
    mode: string,
    input: Partial<BatchInput> = {},
  ): Promise<readonly string[]> {
    const before = speaches().counters.workCalls;
    speaches().script({ steps: [{ mode, times: 2 }] });
    await drill.startBatch(batchId, input);
    return until('two calls in flight', async () => {
      const held = (await drill.endpointState('dgx-speaches'))?.held ?? [];
      return speaches().counters.workCalls === before + 2 && held.length === 2 && held.map((each) => each.workflowId);
    });
  }

  /** What names the one activity that an episode has in work. */
  async function activityOf(workflowId: string): Promise<string[]> {
    const { raw } = await drill.client.workflow.getHandle(workflowId).describe();
    return [...workflow(workflowId), '--activity-id', raw.pendingActivities?.[0]?.activityId ?? ''];
  }

  async function reportOf(batchId: string): Promise<BatchReport> {
    return (await drill.outcome(batchId)).report;
  }

  it('cancel of a batch stops its calls, and its account is written', async () => {
    await startBatch('cancelled', 'slow:60s', { haltTimeoutSec: 600 });
    await temporal('workflow', 'cancel', ...workflow(batchWorkflowId('cancelled')));

    expect(await drill.outcome('cancelled')).toMatchObject({ exitCode: 4, report: { state: 'cancelled' } });
    expect(await drill.record('cancelled')).toMatchObject({ state: 'cancelled', done: 0, remaining: 3 });
    expect(await drill.endpointState('dgx-speaches')).toMatchObject({ held: [], waiting: [] });
  });

  it('terminate of a batch stops its calls, and running it again at once does what is left', async () => {
    await startBatch('terminated', 'slow:60s');
    await temporal('workflow', 'terminate', ...workflow(batchWorkflowId('terminated')));
    expect(await drill.outcome('terminated')).toMatchObject({ exitCode: 4, report: { state: 'aborted' } });

    await drill.startBatch('terminated');
    expect(await reportOf('terminated')).toMatchObject({ state: 'completed', done: 3 });
  });

  it('reset of a batch begins it anew, and what is finished is found', async () => {
    await startBatch('reset', 'slow:2s');
    const toTheBeginning = ['--type', 'FirstWorkflowTask', '--reason', 'drill'];
    await temporal('workflow', 'reset', ...workflow(batchWorkflowId('reset')), ...toTheBeginning);

    expect(await reportOf('reset')).toMatchObject({ state: 'completed', done: 3, failed: 0 });
  });

  it('pause of a batch lets its episodes go on and refuses queries; unpause ends it', async () => {
    await startBatch('paused', 'slow:2s');
    const batch = workflow(batchWorkflowId('paused'));
    await temporal('workflow', 'pause', ...batch, '--reason', 'drill');
    await expect(temporal('workflow', 'query', ...batch, '--name', 'status')).rejects.toThrow('Paused');
    await until('idle endpoint', async () => (await drill.endpointState('dgx-speaches'))?.held.length === 0);
    await temporal('workflow', 'unpause', ...batch, '--reason', 'drill');

    expect(await reportOf('paused')).toMatchObject({ state: 'completed', done: 3 });
  });

  it('pause of an episode leaves the others alone', async () => {
    const [workflowId = ''] = await startBatch('one-paused', 'slow:2s');
    await temporal('workflow', 'pause', ...workflow(workflowId), '--reason', 'drill');
    await until('the others', async () => (await drill.batchStatus('one-paused')).done === 2);
    await temporal('workflow', 'unpause', ...workflow(workflowId), '--reason', 'drill');

    expect(await reportOf('one-paused')).toMatchObject({ state: 'completed', done: 3 });
  });

  it('pause of an activity cuts its call and keeps its permit; unpause and reset call again', async () => {
    const [first = '', second = ''] = await startBatch('activity-paused', 'slow:60s');
    const cut = speaches().counters.closedByClient;
    await temporal('activity', 'pause', ...(await activityOf(first)));
    await until('a call cut off', () => speaches().counters.closedByClient === cut + 1);
    const held = (await drill.endpointState('dgx-speaches'))?.held;
    await temporal('activity', 'unpause', ...(await activityOf(first)));
    await temporal('activity', 'reset', ...(await activityOf(second)));

    expect(held).toContainEqual(expect.objectContaining({ workflowId: first }));
    expect(await reportOf('activity-paused')).toMatchObject({ state: 'completed', done: 3 });
    expect(speaches().counters.closedByClient).toBe(cut + 2);
  });

  it('cancel of an endpoint loses nobody: `resume` begins it anew', async () => {
    await startBatch('endpoint-cancelled', 'slow:2s');
    await temporal('workflow', 'cancel', ...workflow(endpointWorkflowId('dgx-speaches')));
    const entity = drill.client.workflow.getHandle(endpointWorkflowId('dgx-speaches'));
    await until('its end', async () => (await entity.describe()).status.name === 'CANCELLED');
    await drill.signalBatch('endpoint-cancelled', 'resume');

    expect(await reportOf('endpoint-cancelled')).toMatchObject({ state: 'completed', done: 3 });
  });

  it('reset of an endpoint loses nobody', async () => {
    await startBatch('endpoint-reset', 'slow:2s');
    const toTheBeginning = ['--type', 'FirstWorkflowTask', '--reason', 'drill'];
    await temporal('workflow', 'reset', ...workflow(endpointWorkflowId('dgx-speaches')), ...toTheBeginning);

    expect(await reportOf('endpoint-reset')).toMatchObject({ state: 'completed', done: 3 });
  });

  it('signal by query reaches batches; cancel by query leaves episodes undone, and the batch says so', async () => {
    await startBatch('queried', 'slow:60s');
    const episodes = 'HoldfastBatch="queried" AND WorkflowType="processEpisode"';
    const batches = 'HoldfastBatch="queried" AND WorkflowType="reprocessBatch"';
    await until('four visible', async () => (await drill.client.workflow.count('HoldfastBatch="queried"')).count === 4);
    const why = ['--reason', 'drill', '--yes'];
    await temporal('workflow', 'signal', '--query', batches, '--name', 'pause', ...why);
    await until('a paused batch', async () => (await drill.batchStatus('queried')).state === 'paused');
    await temporal('workflow', 'cancel', '--query', episodes, ...why);

    expect(await drill.outcome('queried')).toMatchObject({ exitCode: 1, report: { state: 'failed', remaining: 3 } });
  });
});
