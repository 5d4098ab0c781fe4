import { promptVersions } from '../../activities/text/prompts/prompt-versions.js';
import type { Stage, StageOutcome } from '../../src/stage.js';
import { stages } from '../../src/stage.js';
import type { Rig } from '../support/rig.js';
import { asr, diarizer, llm, minuteMs, planOf, pyannote, speaches, timeSkippingSites, vllm } from '../support/sites.js';
import type { RunPlan } from '../../src/run-plan.js';
import { publishedEpisode, workCalls } from './support.js';

type Outcomes = Record<Stage, StageOutcome>;

const reused: Outcomes = { transcribe: 'reused', diarize: 'reused', summarize: 'reused', gi: 'reused', kg: 'reused' };
/** The versions as a release with other prompts would have them. */
const versions: Record<string, string> = promptVersions;

describe('an artifact', () => {
  const sites = timeSkippingSites();
  const before = { ...versions };
  let settings: Partial<Record<Stage, Record<string, number>>> = {};

  afterEach(() => {
    Object.assign(versions, before);
    settings = {};
  });

  /** A site whose plan allows reuse across batches, with figures for its methods. */
  async function site(): Promise<Rig> {
    const tiers = [asr(), diarizer(), llm('summarize'), llm('gi'), llm('kg')];
    const plan = planOf('hold', tiers, { transcriptCacheEnabled: true });
    return sites.start({
      episodes: 1,
      stub: { asr: { ...speaches, durationSec: 20 }, diarizer: { ...pyannote, durationSec: 20 }, llm: vllm },
      plan: (facts) => {
        const run: RunPlan = plan(facts);
        for (const stage of stages) run.stages[stage].chain.forEach((tier) => (tier.settings = settings[stage] ?? {}));
        return run;
      },
    });
  }

  async function outcomes(rig: Rig, batchId: string): Promise<Outcomes> {
    await rig.startBatch(batchId);
    await sites.temporal.sleep(2 * minuteMs);
    expect(await rig.batchStatus(batchId)).toMatchObject({ state: 'completed', done: 1 });
    const record = await publishedEpisode(rig);
    return Object.fromEntries(record.stages.map(({ stage, outcome }) => [stage, outcome])) as Outcomes;
  }

  it('is made anew when its prompts change, with exactly those that read it', async () => {
    const rig = await site();
    await outcomes(rig, 'first');
    expect(await outcomes(rig, 'same')).toEqual(reused);
    for (const stage of ['gi', 'summarize', 'kg'] as const) {
      versions[stage] = `${stage}-of-the-next-release`;
      expect(await outcomes(rig, stage)).toEqual({ ...reused, [stage]: 'executed' });
    }
    expect(workCalls(rig)).toMatchObject({ asr: 1, diarizer: 1 });
  });

  it("is made anew when its method's figures change, and no other", async () => {
    const rig = await site();
    settings = { gi: { maxInsights: 12 }, kg: { maxTopics: 10, maxEntities: 15 } };
    await outcomes(rig, 'first');
    settings = { gi: { maxInsights: 12 }, kg: { maxTopics: 4, maxEntities: 15 } };
    expect(await outcomes(rig, 'kg')).toEqual({ ...reused, kg: 'executed' });
  });
});
