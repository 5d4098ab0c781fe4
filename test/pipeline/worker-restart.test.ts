import { Rig } from '../support/rig.js';
import { asr, llm, planOf, speaches, vllm } from '../support/sites.js';
import type { TestTier } from '../support/plans.js';
import { startDevServer, type TestTemporal } from '../support/temporal.js';
import { asked, publishedEpisode, stageOf } from './support.js';

/** In real time, with small knobs: the time-skipping server stands still while nobody works. */
describe('a text stage whose worker is stopped and started again', () => {
  let temporal: TestTemporal;
  let rig: Rig | undefined;

  beforeAll(async () => {
    temporal = await startDevServer();
  });
  afterEach(() => rig?.stop());
  afterAll(() => temporal.stop());

  async function site(text: TestTier, callBudgetPerEpisode = 1500): Promise<Rig> {
    rig = await Rig.start({
      temporal,
      episodes: 1,
      stub: { asr: { ...speaches, durationSec: 25 }, llm: vllm },
      plan: planOf('hold', [asr(), text], { callBudgetPerEpisode }),
    });
    return rig;
  }

  async function restarted(site: Rig): Promise<void> {
    await site.stopWorkers();
    await site.restartWorkers();
  }

  it('counts re-rolls, retries and the calls of before: the eleventh is not sent', async () => {
    const policy = { retriesBeforeTrip: 20, backoffScheduleSec: [0.4] };
    const started = await site(llm('summarize', { policy }), 10);
    const service = started.stub.endpoint('llm');
    // Each attempt is an answer that is no use, and its re-roll, which meets an overload: so the attempt is retried.
    const attempt = [{ mode: 'bad-json' }, { mode: 'status:503' }];
    service.script({ steps: Array.from({ length: 10 }, () => attempt).flat() });
    await started.startBatch('budget');
    await started.eventually(() => service.counters.workCalls >= 4);
    await restarted(started);
    expect(service.counters.workCalls).toBeLessThan(10);
    await started.eventually(async () => (await started.batchStatus('budget')).failed === 1);
    const sent = service.calls.filter(({ kind }) => kind === 'work').map(({ mode }) => mode);
    expect(sent).toEqual(Array.from({ length: 5 }, () => ['bad-json', 'status']).flat());
    expect((await publishedEpisode(started)).reason).toContain('budget of 10 LLM calls is used up');
  });

  it('does not ask again what was answered before', async () => {
    const policy = { retriesBeforeTrip: 20, backoffScheduleSec: [0.4] };
    const started = await site(llm('gi', { policy }));
    const service = started.stub.endpoint('llm');
    service.script({ steps: [{ mode: 'ok', times: 2 }], default: 'status:503' });
    await started.startBatch('resume');
    await started.eventually(() => service.counters.workCalls >= 3);
    await restarted(started);
    service.script({});
    await started.eventually(async () => (await started.batchStatus('resume')).done === 1);
    const questions = asked(started, 'llm');
    expect(questions.slice(0, 3)).toEqual(['insights', 'insight_value_gate', 'quotes']);
    expect(new Set(questions.slice(3))).toEqual(new Set(['quotes', 'entailment']));
    expect((await stageOf(started, 'gi')).outcome).toBe('executed');
  });
});
