import { until } from './drill-site.js';
import { stagesRepeated } from './drill-count.js';
import { useDrillSite } from './use-drill-site.js';

describe('two workers at once', () => {
  const start = useDrillSite();

  it('never have more calls in flight than the endpoint has capacity', async () => {
    const drill = await start({ episodes: 6, workers: 2, services: { 'dgx-speaches': { serviceMs: 400 } } });
    await drill.startBatch('b', { window: 6 });

    const { report } = await drill.outcome('b');

    expect(report).toMatchObject({ state: 'completed', done: 6 });
    for (const endpointId of ['dgx-speaches', 'dgx-pyannote', 'dgx-ollama'] as const) {
      expect(drill.endpoint(endpointId).counters).toMatchObject({ maxInFlight: 1 });
    }
    expect(drill.endpoint('dgx-speaches').counters.workCalls).toBe(6);
  });
});

describe('SIGTERM in the middle of a call', () => {
  const start = useDrillSite();

  it('ends the worker in an orderly way, and the batch loses nothing', async () => {
    const drill = await start({
      episodes: 2,
      services: { 'dgx-speaches': { script: { steps: [{ mode: 'slow:60s' }] } } },
    });
    await drill.startBatch('b');
    const speaches = drill.endpoint('dgx-speaches');
    await until('a transcription', () => speaches.counters.workCalls === 1);
    const exitCode = await drill.worker.stop();
    await drill.startWorker();

    const { report } = await drill.outcome('b');

    expect(exitCode).toBe(0);
    expect(report).toMatchObject({ state: 'completed', done: 2, failed: 0 });
    expect((await drill.endpointState('dgx-speaches'))?.counters.trips).toBe(0);
    expect(speaches.counters).toMatchObject({ workCalls: 3, maxInFlight: 1, closedByClient: 1 });
    expect(await stagesRepeated(drill, report)).toBe(0);
    expect(await drill.findings()).toEqual([]);
  });
});
