import { temporal } from '@temporalio/proto';
import { BatchHistory } from '../../../cli/report/batch-history.js';
import { endpointTimeline } from '../../../cli/report/endpoint-timeline.js';
import { episodeTimeline } from '../../../cli/report/episode-timeline.js';
import { runEvents, type RunEvent } from '../../../cli/report/run-events.js';
import { readRecorded } from '../../replay/recorded-history.js';

function recorded(name: string): RunEvent[] {
  return runEvents(temporal.api.history.v1.History.fromObject(readRecorded(name).history));
}

describe('episodeTimeline', () => {
  const events = recorded('episode-held');
  const timeline = episodeTimeline(events, 0);

  it('finds in a history what an episode did, where, and what it waited for', () => {
    expect(timeline?.spans.map(({ kind, endpointId, end }) => [kind, endpointId, end])).toEqual([
      ['audio', undefined, 'completed'],
      ['transcribe', 'dgx-speaches', 'failed'],
      ['held', 'dgx-speaches', 'completed'],
      ['transcribe', 'dgx-speaches', 'completed'],
      ['diarize', 'dgx-pyannote', 'completed'],
      ['summarize', 'dgx-ollama', 'completed'],
      ['gi', 'dgx-ollama', 'completed'],
      ['kg', 'dgx-ollama', 'completed'],
      ['publish', undefined, 'completed'],
    ]);
    expect(timeline?.isOpen).toBe(false);
  });

  it('tells of a ladder its attempts, when the last began, and how it ended', () => {
    const ladder = timeline?.spans.find(({ end }) => end === 'failed');

    expect(ladder).toMatchObject({ attempts: 2, tierIndex: 0, model: 'Systran/faster-whisper-large-v3' });
    expect(ladder?.lastAttemptMs).toBeGreaterThan(ladder?.fromMs ?? Infinity);
    expect(ladder?.reason).toContain('HTTP 503');
  });

  it('lets what has not ended last until now', () => {
    const heldAt = events.findIndex(({ kind }) => kind === 'attributes');
    const nowMs = (events[heldAt]?.atMs ?? 0) + 60_000;

    const open = episodeTimeline(events.slice(0, heldAt + 1), nowMs);

    expect(open).toMatchObject({ isOpen: true, toMs: nowMs });
    expect(open?.spans.at(-1)).toMatchObject({ kind: 'held', endpointId: 'dgx-speaches', toMs: nowMs });
  });
});

describe('endpointTimeline', () => {
  const events = recorded('endpoint-tripped-and-recovered');
  const period = { fromMs: events[0]?.atMs ?? 0, toMs: events.at(-1)?.atMs ?? 0 };

  it('finds the states of a circuit, its probes and its alerts', () => {
    const { circuits, probes, alerts } = endpointTimeline([events], period);

    expect(circuits.map(({ state }) => state)).toEqual(['closed', 'suspect', 'open', 'halfOpen', 'closed']);
    expect(probes.at(-1)?.ok).toBe(true);
    expect(probes.filter(({ ok }) => !ok).length).toBeGreaterThan(1);
    expect(alerts.map(({ kind }) => kind)).toEqual(['trip', 'fuseOpen', 'recovered']);
    expect(alerts[1]).toMatchObject({ endpointId: 'dgx-speaches', batchWorkflowId: 'reprocess-batch/outage' });
  });

  it('leaves out what was before and after the batch', () => {
    const fromMs = period.toMs - 1;

    const { circuits, probes, alerts } = endpointTimeline([events], { fromMs, toMs: period.toMs });

    expect(circuits).toEqual([{ state: 'closed', fromMs, toMs: period.toMs }]);
    expect([...probes, ...alerts]).toEqual([]);
  });
});

describe('BatchHistory', () => {
  const events = recorded('batch-halted-and-resumed');
  const history = new BatchHistory([events], 0);

  it('finds what was asked for, what came of it, and the states on the way', () => {
    expect(history).toMatchObject({ isOpen: false, requested: 2, input: { profile: 'experiment_dgx_only' } });
    expect(history.plan?.stages.transcribe.chain[0]?.endpointId).toBe('dgx-speaches');
    expect(history.states.map(({ state }) => state)).toEqual(['running', 'holding', 'halted', 'holding', 'running']);
  });

  it('knows of an earlier run that is gone what it carried over', () => {
    const carried = { plan: history.plan, startedAtMs: 1000, counts: { requested: 900 } };
    const start: RunEvent = { kind: 'started', atMs: 5000, input: { carried }, previousRunId: 'gone' };

    const later = new BatchHistory(
      [[start, { kind: 'attributes', atMs: 6000, values: { HoldfastState: 'paused' } }]],
      9000,
    );

    expect(later).toMatchObject({
      isOpen: true,
      requested: 900,
      lastState: 'paused',
      period: { fromMs: 1000, toMs: 9000 },
    });
    expect(later.plan).toEqual(history.plan);
  });
});
