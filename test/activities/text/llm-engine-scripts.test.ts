import { llmTextEngine } from '../../../activities/text/llm-engine.js';
import { transcriptText } from '../../../src/grounding.js';
import { verifyGrounding } from '../../../src/verify-grounding.js';
import { defaultChatAnswers } from '../../support/stub/default-chat-answers.js';
import { scriptedModel, type Script } from '../../support/scripted-model.js';
import { episodeOf, spoken } from '../../support/spoken.js';

const summary = { title: '山道の話', bullets: ['水が大切だ。'], key_quotes: [], entities: [], timestamps: [] };
const japanese: Script = {
  summary: [{ json: summary }],
  speaker_names: [{ json: { speakers: [] } }],
  insights: [{ json: { insights: [{ text: '水が山道を壊す。', type: 'claim' }] } }],
  insight_value_gate: [{ json: { ratings: [{ insight: 0, value: 'core' }] } }],
  quotes: [{ json: { quotes: [{ insight: 0, quote: '水の流れが山道を壊します' }] } }],
  entailment: [{ json: { verdicts: [{ pair: 0, supported: true }] } }],
};

describe('llmTextEngine with a script that puts no spaces between words', () => {
  const transcript = spoken([
    '健: ようこそ。今日は山道の話です。',
    '舞: はい、水の流れが山道を壊しますから、気をつけます。',
  ]);

  it('grounds insights in quotes from the middle of a sentence', async () => {
    const model = scriptedModel(japanese);

    const { artifact, degraded } = await llmTextEngine(model.deps).insights({ episode: episodeOf(), transcript });

    expect(degraded).toBeUndefined();
    expect(artifact.nodes.filter(({ type }) => type === 'Quote').map(({ properties }) => properties)).toMatchObject([
      { text: '水の流れが山道を壊します', speaker_name: 'SPEAKER_01' },
    ]);
    expect(verifyGrounding(artifact, transcript)).toEqual([]);
  });

  it('keeps its prompts within the context, where a letter is a token', async () => {
    const long = spoken(Array.from({ length: 300 }, () => `健: ${'山道の水について話します。'.repeat(5)}`));
    const model = scriptedModel(japanese, { contextTokens: 8192 });

    const result = await llmTextEngine(model.deps).summarize({ episode: episodeOf(), transcript: long });

    expect(result.calls).toBeGreaterThan(2);
    for (const { user, maxOutputTokens } of model.requests) expect(user.length + maxOutputTokens).toBeLessThan(8192);
  });
});

describe('llmTextEngine with characters of two code units', () => {
  /** Without spaces, so that every cut is made by length. */
  const transcript = spoken([`A: ${'😀'.repeat(6000)}`]);

  it('sends no half of one, wherever a text is cut', async () => {
    const model = scriptedModel({ ...japanese, knowledge_graph: ['no JSON'] }, { contextTokens: 4096 });
    const engine = llmTextEngine(model.deps);
    const episode = episodeOf({ description: `x${'😀'.repeat(4000)}` });

    await engine.summarize({ episode, transcript });
    await engine.knowledgeGraph({ episode, transcript });

    expect(model.requests.length).toBeGreaterThan(4);
    expect(model.requests.filter(({ user }) => /\p{Surrogate}/u.test(user))).toEqual([]);
  });
});

describe('llmTextEngine beyond one call', () => {
  const transcript = spoken(
    Array.from({ length: 90 }, (_, index) => `A: ${`Part ${index} tells of the trail and of its water. `.repeat(8)}`),
  );
  const input = { episode: episodeOf(), transcript };

  it('takes topics, quotes and places of every part of an episode into its caps', async () => {
    const sentenceOf = (user: string): string => /Part \d+ tells of the trail/.exec(user)?.[0] ?? '';
    const model = scriptedModel(
      {
        summary: ({ user }) => ({
          json: { ...summary, key_quotes: Array.from({ length: 6 }, (_, n) => sentenceOf(user.slice(n * 500))) },
        }),
        knowledge_graph: ({ user }) => ({
          json: {
            topics: Array.from({ length: 10 }, (_, n) => ({ label: `${sentenceOf(user)} ${n}`, description: '' })),
            people: [],
            organizations: [],
            relations: [],
          },
        }),
      },
      { contextTokens: 4096 },
    );
    const engine = llmTextEngine(model.deps);

    const { artifact: made } = await engine.summarize(input);
    const { artifact: graph } = await engine.knowledgeGraph(input);

    const middle = transcriptText(transcript).length / 2;
    expect(made.keyQuotes.some(({ charStart }) => charStart > middle)).toBe(true);
    const topics = graph.nodes.flatMap((node) => (node.type === 'Topic' ? [node.properties.label] : []));
    expect(new Set(topics.map((label) => label.replace(/ \d+$/, ''))).size).toBeGreaterThan(3);
  });

  it('keeps its prompts within the context under titles of any length', async () => {
    const model = scriptedModel(
      { summary: [{ json: summary }], knowledge_graph: ['no JSON'] },
      { contextTokens: 4096 },
    );
    const long = episodeOf({ title: 'Title '.repeat(20_000), feedTitle: 'Show '.repeat(20_000) });

    await llmTextEngine(model.deps).summarize({ episode: long, transcript });
    await llmTextEngine(model.deps).knowledgeGraph({ episode: long, transcript });

    for (const { system, user, maxOutputTokens } of model.requests) {
      expect((system.length + user.length) / 3.5 + maxOutputTokens).toBeLessThanOrEqual(4096);
    }
  });

  it('takes no whole passage for a quote', async () => {
    const passage = transcriptText(transcript).slice(0, 2000).trim();
    const quotes = [{ json: { quotes: [{ insight: 0, quote: passage }] } }];
    const model = scriptedModel({ ...defaultScript(), quotes });

    const { degraded } = await llmTextEngine(model.deps).insights(input);

    expect(degraded).toContain('no insight could be grounded');
  });

  it('asks about no more insights at once than fit into the context', async () => {
    // No two alike, so that all are kept.
    const long = (index: number): string => Array.from({ length: 120 }, (_, n) => `w${index}x${n}`).join(' ');
    const model = scriptedModel(
      {
        ...defaultScript(),
        insights: [{ json: { insights: Array.from({ length: 25 }, (_, n) => ({ text: long(n), type: 'claim' })) } }],
      },
      { contextTokens: 4096 },
    );

    await llmTextEngine(model.deps).insights(input);

    for (const { system, user, maxOutputTokens } of model.requests) {
      expect((system.length + user.length) / 3.5 + maxOutputTokens).toBeLessThanOrEqual(4096);
    }
  });
});

/** Answers made of the prompt, as the scripted services give them. */
function defaultScript(): Script {
  return Object.fromEntries(
    Object.entries(defaultChatAnswers).map(([name, answer]) => [
      name,
      ({ system, user }) => ({ json: answer({ system, user, schemaName: name, schema: undefined }) }),
    ]),
  );
}
