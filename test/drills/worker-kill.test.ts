import { setTimeout as delay } from 'node:timers/promises';
import { stagesRepeated } from './drill-count.js';
import { until } from './drill-site.js';
import { useDrillSite } from './use-drill-site.js';

describe('SIGKILL of the worker in the middle of a stage', () => {
  const start = useDrillSite();

  it('repeats nothing that had finished, and damages no artifact', async () => {
    const drill = await start({
      episodes: 2,
      services: { 'dgx-pyannote': { script: { steps: [{ mode: 'slow:60s' }] } } },
    });
    await drill.startBatch('b');
    // Both transcriptions have finished, so that the one stage under way is what the kill is about.
    await until('a diarization and a waiter', async () => {
      const state = await drill.endpointState('dgx-pyannote');
      return drill.endpoint('dgx-pyannote').counters.workCalls === 1 && state?.waiting.length === 1;
    });
    await drill.worker.kill();
    await drill.startWorker();

    const { report } = await drill.outcome('b');

    expect(report).toMatchObject({ state: 'completed', done: 2, failed: 0 });
    expect(await stagesRepeated(drill, report)).toBe(0);
    expect(drill.endpoint('dgx-speaches').counters.workCalls).toBe(2);
    expect(await drill.findings()).toEqual([]);
  });
});

describe('SIGKILL of the worker in the middle of a call', () => {
  const start = useDrillSite();

  it('trips nothing and sends the call to the same tier again, alone', async () => {
    const drill = await start({
      episodes: 2,
      services: { 'dgx-speaches': { script: { steps: [{ mode: 'slow:60s' }] } } },
    });
    await drill.startBatch('b');
    const speaches = drill.endpoint('dgx-speaches');
    await until('a transcription', () => speaches.counters.workCalls === 1);
    await drill.worker.kill();
    await drill.startWorker();

    const { report } = await drill.outcome('b');

    expect(report).toMatchObject({ state: 'completed', done: 2 });
    expect((await drill.endpointState('dgx-speaches'))?.counters.trips).toBe(0);
    expect(speaches.counters).toMatchObject({ workCalls: 3, maxInFlight: 1, modelsAsked: [speaches.model] });
    expect(drill.endpoint('dgx-whisper').counters.workCalls).toBe(0);
  });

  it('never has two jobs at a service that computes on after a disconnect', async () => {
    const drill = await start({
      episodes: 2,
      services: {
        'dgx-pyannote': { serial: true, healthBlocksWhileBusy: true, script: { steps: [{ mode: 'zombie:26s' }] } },
      },
      endpoints: { 'dgx-pyannote': { drainSec: 60 } },
    });
    await drill.startBatch('b');
    const pyannote = drill.endpoint('dgx-pyannote');
    await until('a diarization', () => pyannote.counters.workCalls === 1);
    await drill.worker.kill();
    await drill.startWorker();

    const { report } = await drill.outcome('b');

    expect(report).toMatchObject({ state: 'completed', done: 2 });
    expect((await drill.endpointState('dgx-pyannote'))?.counters.trips).toBe(0);
    expect(pyannote.counters).toMatchObject({ workCalls: 3, maxInFlight: 1 });
  });
});

describe('SIGKILL of the worker during a hold', () => {
  const start = useDrillSite();
  const kept = ['circuit', 'since', 'generation', 'waiting', 'haltsAt'] as const;

  it('keeps clock, queue, attempts and position, and never has two probes at once', async () => {
    const down = [
      { when: { kind: 'work' }, mode: 'status:503' },
      { when: { kind: 'probe' }, mode: 'hang' },
    ] as const;
    const drill = await start({
      episodes: 4,
      services: { 'dgx-speaches': { script: { rules: down } } },
      endpoints: { 'dgx-speaches': { probe: { intervalSec: 1, deadlineSec: 2 } } },
    });
    await drill.startBatch('b', { window: 4 });
    const speaches = drill.endpoint('dgx-speaches');
    const before = await until('the second probe', async () => {
      const state = await drill.endpointState('dgx-speaches');
      return (state?.counters.probes ?? 0) >= 2 && state?.waiting.length === 4 && state;
    });
    await drill.worker.kill();
    await delay(3000);
    await drill.startWorker();
    const after = await until('a probe of the new worker', async () => {
      const state = await drill.endpointState('dgx-speaches');
      return (state?.counters.probes ?? 0) > before.counters.probes + 1 && state;
    });

    for (const field of kept) expect(after[field]).toEqual(before[field]);
    expect(speaches.counters).toMatchObject({ workCalls: 4, maxProbesInFlight: 1 });

    speaches.script({});
    const { report } = await drill.outcome('b');
    expect(report).toMatchObject({ state: 'completed', done: 4 });
    expect(speaches.counters).toMatchObject({ workCalls: 8, maxInFlight: 1 });
  });
});
