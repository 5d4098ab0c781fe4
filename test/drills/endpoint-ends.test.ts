import { endpointWorkflowId } from '../../src/messages.js';
import { until } from './drill-site.js';
import { useDrillSite } from './use-drill-site.js';

describe("an endpoint's workflow that is terminated while everybody waits for it", () => {
  const start = useDrillSite();

  it('is begun anew by `resume`, and finds those who wait', async () => {
    const drill = await start({ episodes: 3 });
    const speaches = drill.endpoint('dgx-speaches');
    await speaches.down('status:503');
    await drill.startBatch('b');
    await until('three waiters', async () => {
      const state = await drill.endpointState('dgx-speaches');
      return state?.circuit === 'open' && state.waiting.length === 3;
    });
    await drill.client.workflow.getHandle(endpointWorkflowId('dgx-speaches')).terminate('drill');
    await speaches.up();
    await drill.signalBatch('b', 'resume');

    const { report } = await drill.outcome('b');

    expect(report).toMatchObject({ state: 'completed', done: 3, failed: 0 });
    expect(speaches.counters).toMatchObject({ maxInFlight: 1, workCalls: 4 + 3 });
  });
});
