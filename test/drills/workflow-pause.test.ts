import { setTimeout as delay } from 'node:timers/promises';
import { endpointWorkflowId } from '../../src/messages.js';
import { until, type DrillSite } from './drill-site.js';
import { useDrillSite } from './use-drill-site.js';

const limitSec = 5;
const workflowId = endpointWorkflowId('dgx-speaches');

describe("an endpoint's workflow paused by Temporal's own pause past the limit", () => {
  const start = useDrillSite();

  it('probes once before it gives up, and goes on where the service is back', async () => {
    const drill = await startHolding(await start({ episodes: 2 }));
    await setPaused(drill, true);
    await delay(1000 * limitSec + 2000);
    const speaches = drill.endpoint('dgx-speaches');
    await speaches.up();
    const probes = speaches.counters.probeCalls;
    await setPaused(drill, false);

    const { report } = await drill.outcome('b');

    expect(report).toMatchObject({ state: 'completed', done: 2 });
    expect(speaches.counters.probeCalls).toBe(probes + 1);
    expect((await drill.batchStatus('b')).halts).toEqual([]);
  });

  it('halts the batch after that one probe where the service is still away', async () => {
    const drill = await startHolding(await start({ episodes: 2 }));
    await setPaused(drill, true);
    await delay(1000 * limitSec + 2000);
    const speaches = drill.endpoint('dgx-speaches');
    const probes = speaches.counters.probeCalls;
    await setPaused(drill, false);

    const halts = await until('a halt', async () => {
      const status = await drill.batchStatus('b');
      return status.state === 'halted' && status.halts;
    });

    expect(halts).toMatchObject([{ endpointId: 'dgx-speaches', failureType: 'ResilienceFuseOpen' }]);
    expect(speaches.counters.probeCalls).toBeGreaterThan(probes);
  });
});

describe('a worker that was away past the limit', () => {
  const start = useDrillSite();

  it('probes once before the endpoint gives up, and goes on where the service is back', async () => {
    const drill = await startHolding(await start({ episodes: 2 }));
    await drill.worker.kill();
    await delay(1000 * limitSec + 2000);
    const speaches = drill.endpoint('dgx-speaches');
    await speaches.up();
    await drill.startWorker();

    const { report } = await drill.outcome('b');

    expect(report).toMatchObject({ state: 'completed', done: 2 });
    expect((await drill.batchStatus('b')).halts).toEqual([]);
  });
});

/** A batch whose transcriber has just tripped; it halts `limitSec` later. */
async function startHolding(drill: DrillSite): Promise<DrillSite> {
  await drill.endpoint('dgx-speaches').down('status:503');
  const overrides = { resilience_on_open_max_wait_sec: limitSec, resilience_probe_interval_sec: limitSec };
  await drill.startBatch('b', { overrides });
  await until('an open circuit', async () => (await drill.endpointState('dgx-speaches'))?.circuit === 'open');
  return drill;
}

/**
 * A pause that meets a scheduled workflow task leaves a history that the SDK cannot read (a failed task that was never
 * started), so the workflow has to be quiet first.
 */
async function untilQuiet({ client }: DrillSite): Promise<void> {
  await until('a workflow with nothing to do', async () => {
    await delay(500);
    const { raw } = await client.workflow.getHandle(workflowId).describe();
    return !raw.pendingWorkflowTask && (raw.pendingActivities ?? []).length === 0;
  });
}

async function setPaused(drill: DrillSite, paused: boolean): Promise<void> {
  if (paused) await untilQuiet(drill);
  const { client } = drill;
  const request = {
    namespace: 'default',
    workflowId,
    identity: 'drill',
    reason: 'drill',
    requestId: `drill-${paused}`,
  };
  if (paused) await client.workflowService.pauseWorkflowExecution(request);
  else await client.workflowService.unpauseWorkflowExecution(request);
}
