import type { BatchState } from '../../../src/batch.js';
import { reportModel } from '../../../cli/report/model.js';
import { nextSteps } from '../../../cli/report/next-steps.js';
import { reportPage } from '../../../cli/report/page.js';
import { weekendFacts } from '../../support/report-facts.js';

describe('reportModel', () => {
  const model = reportModel(weekendFacts(1000));

  it('counts a thousand episodes by outcome, stage and class of failure', () => {
    expect(model.outcomes).toEqual([
      { label: 'done', count: 950 },
      { label: 'failed', count: 50 },
      { label: 'skipped', count: 0 },
      { label: 'in work', count: 0 },
      { label: 'remaining', count: 0 },
    ]);
    expect(model.stageShares[0]?.counts).toMatchObject({ executed: 1000, skipped: 0 });
    expect(model.stageShares[4]?.counts).toMatchObject({ executed: 950, skipped: 50 });
    expect(model.failureTypes).toEqual([{ label: 'ContentRejected', count: 50, example: 'diarize: HTTP 413' }]);
    expect(model.failed).toHaveLength(50);
    expect(model.slowest).toHaveLength(15);
  });

  it('tells of each endpoint how busy it was, how long it was away, and what probing found', () => {
    const [asr, , llm] = model.endpoints;

    // Two minutes of 1,000 episodes at a capacity of 2, over 33.5 hours.
    expect(asr).toMatchObject({ activities: 1000, outMs: 300 * 60_000, trips: 1, probesOk: 1, probesFailed: 599 });
    expect(asr?.busyShare).toBeCloseTo(2000 / (2 * 33.5 * 60), 2);
    expect(llm).toMatchObject({ activities: 2850, outMs: 0, trips: 0, busyShare: 1 });
    expect(asr?.waits.queued).toBe(1000 * 55_000);
  });
});

describe('reportPage', () => {
  it('keeps a thousand episodes within 3 MB, and shows no more of a feed than its host', async () => {
    const page = await reportPage(reportModel(weekendFacts(1000)));

    expect(page.length).toBeLessThan(3_000_000);
    expect(page).toContain('Episode 999 of a long series');
    expect(page).toContain('its feed at example.com');
    expect(page).not.toContain('token=secret');
  });

  it('is a page for a batch of which only the record is left', async () => {
    const { episodes, input: _input, ...rest } = weekendFacts(3);
    const untimed = episodes.map(({ timeline: _timeline, ...episode }) => episode);
    const page = await reportPage(
      reportModel({ ...rest, episodes: untimed, endpoints: [], gaps: ['It is forgotten.'] }),
    );

    expect(page).toContain('It is forgotten.');
    expect(page).toContain('No times are known.');
  });
});

describe('nextSteps', () => {
  const halt = { endpointId: 'asr', failureType: 'ResilienceFuseOpen', reason: 'did not recover in time' } as const;

  function commandsIn(state: BatchState): (string | undefined)[] {
    const facts = weekendFacts(20);
    const isOpen = ['running', 'holding', 'halted', 'paused', 'aborting'].includes(state);
    const halts = state === 'halted' ? [halt] : [];
    return nextSteps({ ...facts, state, isOpen, halts }).map(({ command }) => command);
  }

  const verify = 'holdfast verify /data/corpus --batch weekend';
  const rerun = 'holdfast reprocess --feed <its feed at example.com> --profile reprocess_dgx_turbo --batch-id weekend';

  it.each<[BatchState, (string | undefined)[]]>([
    ['running', ['holdfast watch weekend', undefined]],
    ['halted', ['holdfast endpoints probe asr', 'holdfast resume weekend', 'holdfast abort weekend']],
    ['paused', ['holdfast resume weekend', 'holdfast abort weekend']],
    ['aborting', ['holdfast watch weekend']],
    ['completed', [verify]],
    ['failed', [rerun, verify]],
    ['aborted', [rerun, verify]],
    ['cancelled', [rerun, verify]],
  ])('gives the commands for a batch that is %s', (state, commands) => {
    expect(commandsIn(state)).toEqual(commands);
  });

  it('quotes what a shell would take apart', () => {
    const facts = { ...weekendFacts(20), batchId: "it's", input: { source: { audio: ['/a b.mp3'] } } };

    expect(nextSteps(facts)[0]?.command).toBe(String.raw`holdfast reprocess --audio '/a b.mp3' --batch-id 'it'\''s'`);
  });
});
