import type { DrillSite } from './drill-site.js';
import { until } from './drill-site.js';
import { useDrillSite } from './use-drill-site.js';

describe('an episode that ends while it holds a permit', () => {
  const start = useDrillSite();
  const slowFirst = { 'dgx-speaches': { script: { steps: [{ mode: 'slow:60s' }] } } };

  /** A batch whose first episode is being transcribed while the second waits for the permit. */
  async function startHeld(): Promise<{ drill: DrillSite; holder: ReturnType<DrillSite['episode']> }> {
    const drill = await start({ episodes: 2, services: slowFirst });
    await drill.startBatch('b');
    const workflowId = await until('a holder and a waiter', async () => {
      const state = await drill.endpointState('dgx-speaches');
      const called = drill.endpoint('dgx-speaches').counters.workCalls === 1;
      return called && state?.waiting.length === 1 && state.held[0]?.workflowId;
    });
    return { drill, holder: drill.client.workflow.getHandle(workflowId) };
  }

  it('does not block the endpoint when it is terminated', async () => {
    const { drill, holder } = await startHeld();
    await holder.terminate('an operator');

    const { report } = await drill.outcome('b');

    expect(report).toMatchObject({ requested: 2, done: 1, failed: 1, remaining: 0 });
    expect(drill.endpoint('dgx-speaches').counters).toMatchObject({ workCalls: 2, maxInFlight: 1, closedByClient: 1 });
  });

  it('does not block the endpoint when it is cancelled', async () => {
    const { drill, holder } = await startHeld();
    await holder.cancel();

    const { report } = await drill.outcome('b');

    expect(report).toMatchObject({ requested: 2, done: 1, failed: 0, remaining: 1 });
    expect(drill.endpoint('dgx-speaches').counters).toMatchObject({ workCalls: 2, maxInFlight: 1, closedByClient: 1 });
  });

  it('does not block the endpoint when it is reset, and is done in its new run', async () => {
    const { drill, holder } = await startHeld();
    await reset(drill, holder.workflowId);

    const { report } = await drill.outcome('b');

    expect(report).toMatchObject({ requested: 2, done: 2, failed: 0 });
    expect(drill.endpoint('dgx-speaches').counters).toMatchObject({ workCalls: 3, maxInFlight: 1 });
  });
});

/** To its beginning, as `temporal workflow reset --type FirstWorkflowTask` does. */
async function reset({ client }: DrillSite, workflowId: string): Promise<void> {
  const history = await client.workflow.getHandle(workflowId).fetchHistory();
  const first = history.events?.find((event) => event.workflowTaskCompletedEventAttributes);
  await client.workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId },
    reason: 'drill',
    requestId: `reset-${workflowId}`,
    workflowTaskFinishEventId: first?.eventId ?? null,
  });
}
