import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { giArtifactSchema } from '../../src/insights.js';
import { kgArtifactSchema } from '../../src/knowledge-graph.js';
import type { Rig } from '../support/rig.js';
import { asr, llm, minuteMs, planOf, speaches, timeSkippingSites, vllm } from '../support/sites.js';
import { defaultChatAnswers } from '../support/stub/default-chat-answers.js';
import { asked } from './support.js';

describe("the figures of a profile's methods", () => {
  const sites = timeSkippingSites();

  async function site(settings: Record<string, number>, chatAnswers = defaultChatAnswers): Promise<Rig> {
    const plan = planOf('hold', [asr(), llm('gi'), llm('kg')]);
    const rig = await sites.start({
      episodes: 1,
      stub: { asr: { ...speaches, durationSec: 25 }, llm: { ...vllm, chatAnswers } },
      plan: (facts) => {
        const run = plan(facts);
        for (const stage of ['gi', 'kg'] as const)
          run.stages[stage].chain.forEach((tier) => (tier.settings = settings));
        return run;
      },
    });
    await rig.startBatch('b');
    await sites.temporal.sleep(2 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 1 });
    return rig;
  }

  async function published(rig: Rig, file: string): Promise<unknown> {
    return JSON.parse(await readFile(path.join(rig.corpusDir, 'feed', rig.episodeId(0), file), 'utf8'));
  }

  async function insightTiers(rig: Rig): Promise<(number | undefined)[]> {
    const { nodes } = giArtifactSchema.parse(await published(rig, 'insights.gi.json'));
    return nodes.flatMap((node) => (node.type === 'Insight' ? [node.properties.tier] : []));
  }

  it('are the defaults where the plan names none', async () => {
    const rig = await site({});
    expect((await insightTiers(rig)).length).toBeGreaterThan(2);
    expect(asked(rig, 'llm').filter((name) => name === 'insights')).toHaveLength(1);
  });

  it('cap the insights of an episode', async () => {
    expect(await insightTiers(await site({ maxInsights: 2 }))).toHaveLength(2);
  });

  it('set what passes the value gate', async () => {
    expect(await insightTiers(await site({ valueGateMinTier: 3 }))).toEqual([3]);
  });

  it.each([
    [0.72, 1],
    [1, 2],
  ])('set how alike two insights may be (%d)', async (dedupeThreshold, count) => {
    const texts = ['Water does more damage than any boot does.', 'Water does more damage than any tyre does.'];
    const insights = { insights: texts.map((text) => ({ text, type: 'claim' })) };
    const rig = await site({ dedupeThreshold }, { ...defaultChatAnswers, insights: () => insights });
    expect(await insightTiers(rig)).toHaveLength(count);
  });

  it('set the size of a chunk', async () => {
    const rig = await site({ chunkChars: 300 });
    expect(asked(rig, 'llm').filter((name) => name === 'insights').length).toBeGreaterThan(1);
  });

  it('cap the nodes of the graph', async () => {
    const rig = await site({ maxTopics: 1, maxEntities: 1 });
    const { nodes } = kgArtifactSchema.parse(await published(rig, 'graph.kg.json'));
    const count = (types: string[]): number => nodes.filter(({ type }) => types.includes(type)).length;
    expect({ topics: count(['Topic']), entities: count(['Person', 'Organization']) }).toEqual({
      topics: 1,
      entities: 1,
    });
  });
});
