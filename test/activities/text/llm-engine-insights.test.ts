import { llmTextEngine } from '../../../activities/text/llm-engine.js';
import { promptVersions } from '../../../activities/text/prompts/prompt-versions.js';
import { verifyGrounding } from '../../../src/verify-grounding.js';
import { giArtifactSchema, type GiArtifact } from '../../../src/insights.js';
import { schemaFaults } from '../../support/artifact-schemas.js';
import { scriptedModel, type Script } from '../../support/scripted-model.js';
import { episodeOf, sharedTranscript, spoken, talk } from '../../support/spoken.js';

const episode = episodeOf();
const script: Script = {
  insights: [
    {
      json: {
        insights: [
          { text: 'Braking earlier makes riders faster than bigger risks do.', type: 'claim' },
          { text: 'Braking earlier makes riders faster than bigger risks do!', type: 'claim' },
          { text: 'Tire pressure matters more than suspension.', type: 'claim' },
          { text: 'The show is fun.', type: 'observation' },
        ],
      },
    },
  ],
  insight_value_gate: [
    {
      json: {
        ratings: [
          { insight: 0, value: 'useful' },
          { insight: 1, value: 'core' },
          { insight: 2, value: 'filler' },
        ],
      },
    },
  ],
  quotes: [
    {
      json: {
        quotes: [
          { insight: 0, quote: 'Tire pressure and casing choice often matter more than a minor suspension tweak.' },
          { insight: 1, quote: 'speed comes from  braking earlier and smoother' },
          { insight: 1, quote: 'Speed is everything to me, always.' },
          { insight: 7, quote: 'Great to be back.' },
        ],
      },
    },
  ],
  entailment: [
    {
      json: {
        verdicts: [
          { pair: 0, supported: true },
          { pair: 1, supported: true },
        ],
      },
    },
  ],
};
const run = async (changes: Script = {}, transcript = talk) => {
  const model = scriptedModel({ ...script, ...changes });
  const result = await llmTextEngine(model.deps).insights({ episode, transcript });
  return { model, ...result, insights: insightsOf(result.artifact) };
};
const insightsOf = (artifact: GiArtifact) =>
  artifact.nodes.filter((node) => node.type === 'Insight').map((node) => node.properties);

describe('llmTextEngine insights', () => {
  it('drops duplicates and filler, and puts the most valuable first', async () => {
    const { insights, degraded } = await run();

    expect(insights.map(({ text, tier, rank }) => ({ text, tier, rank }))).toEqual([
      { text: 'Tire pressure matters more than suspension.', tier: 3, rank: 0 },
      { text: 'Braking earlier makes riders faster than bigger risks do.', tier: 2, rank: 1 },
    ]);
    expect(degraded).toBeUndefined();
  });

  it('grounds insights in quotes that were said, with speaker and place', async () => {
    const { artifact, insights } = await run();

    expect(verifyGrounding(giArtifactSchema.parse(artifact), talk)).toEqual([]);
    expect(insights[0]).toMatchObject({
      grounded: true,
      speaker: 'Sophie Lorenz',
      speaker_voice_type: 'person',
      surfaceable: true,
    });
    expect(artifact.nodes.filter((node) => node.type === 'Quote').map((node) => node.properties.text)).toEqual([
      'Tire pressure and casing choice often matter more than a minor suspension tweak.',
      'Speed comes from braking earlier and smoother',
    ]);
    expect(artifact.edges).toContainEqual({ type: 'SPOKE_IN', from: 'person:sophie-lorenz', to: 'episode:e02' });
  });

  it('leaves an insight ungrounded whose only quote nobody said', async () => {
    const { insights, degraded } = await run({
      quotes: [{ json: { quotes: [{ insight: 0, quote: 'This was never said by anyone.' }] } }],
    });

    expect(insights.every((insight) => !insight.grounded && !insight.surfaceable)).toBe(true);
    expect(degraded).toBe('no insight could be grounded');
  });

  it('takes back a quote that does not support its insight', async () => {
    const { insights, artifact } = await run({ entailment: [{ json: { verdicts: [{ pair: 0, supported: false }] } }] });

    expect(insights.map((insight) => insight.grounded)).toEqual([false, true]);
    expect(verifyGrounding(artifact, talk)).toEqual([]);
  });

  it('re-rolls the value gate once, and then keeps everything and says so', async () => {
    const { model, insights, degraded } = await run({ insight_value_gate: ['not JSON'] });

    expect(model.asked.filter((purpose) => purpose === 'insight_value_gate')).toHaveLength(2);
    expect(insights).toHaveLength(3);
    expect(degraded).toBe('value gate failed open: json_parse_failed');
  });

  it('salvages the complete lines of a cut list without a re-roll, and says so', async () => {
    const text = `{"insights":[{"text":"Tire pressure matters.","type":"claim"},{"text":"Braking ear`;
    const { model, insights, degraded } = await run({ insights: [{ text, finishReason: 'length' }] });

    expect(model.asked.filter((purpose) => purpose === 'insights')).toHaveLength(1);
    expect(insights.map((insight) => insight.text)).toEqual(['Tire pressure matters.']);
    expect(degraded).toContain('insights salvaged from a list that was cut');
  });

  it('salvages a cut list of plain lines', async () => {
    const { insights } = await run({
      insights: [{ text: '- Tire pressure matters.\n- Brak', finishReason: 'length' }],
    });

    expect(insights.map((insight) => insight.text)).toEqual(['Tire pressure matters.']);
  });

  it.each([
    [
      'a list that was cut inside of its first line',
      { text: '{"insights":[{"text":"Tire', finishReason: 'length' as const },
      'finish_reason_length',
    ],
    ['a refusal', 'I cannot help with that.', 'json_parse_failed'],
    ['nothing', '', 'empty_content'],
  ])('gives up without a re-roll on %s', async (_, answer, reason) => {
    const model = scriptedModel({ ...script, insights: [answer] });

    await expect(llmTextEngine(model.deps).insights({ episode, transcript: talk })).rejects.toMatchObject({
      service: 'insights',
      reason,
    });
    expect(model.asked).toEqual(['insights']);
  });

  it('gives up on quotes that stay invalid after the re-roll', async () => {
    const model = scriptedModel({ ...script, quotes: ['{"quotes":['] });

    await expect(llmTextEngine(model.deps).insights({ episode, transcript: talk })).rejects.toMatchObject({
      service: 'quotes',
    });
    expect(model.asked.filter((purpose) => purpose === 'quotes')).toHaveLength(2);
  });

  it('keeps the quotes where the model cannot judge them, and says so', async () => {
    const { insights, degraded } = await run({ entailment: ['maybe'] });

    expect(insights.every((insight) => insight.grounded)).toBe(true);
    expect(degraded).toBe('entailment was not checked: json_parse_failed');
  });

  it.each<[string, Script, string]>([
    [
      'rates',
      { insight_value_gate: [{ json: { ratings: [{ insight: 0, value: 'core' }] } }] },
      'value gate left some unrated',
    ],
    [
      'judges',
      { entailment: [{ json: { verdicts: [{ pair: 0, supported: true }] } }] },
      'entailment left some unjudged',
    ],
  ])('keeps what a model that %s only some leaves out, and says so', async (_, answers, note) => {
    const { insights, degraded } = await run(answers);

    expect(degraded).toBe(note);
    expect(insights.some((insight) => insight.grounded)).toBe(true);
  });

  it('salvages the lines of a list that ran out into white space', async () => {
    const text = `{"insights":[{"text":"Tire pressure matters.","type":"claim"},${'\n'.repeat(5000)}`;
    const { insights, degraded } = await run({ insights: [{ text, finishReason: 'length' }] });

    expect(insights.map((insight) => insight.text)).toEqual(['Tire pressure matters.']);
    expect(degraded).toContain('insights salvaged from a list that was cut');
  });

  it('passes on an endpoint failure of the value gate instead of failing open', async () => {
    const refused = new Error('connection refused');
    const model = scriptedModel({ ...script, insight_value_gate: [refused] });

    await expect(llmTextEngine(model.deps).insights({ episode, transcript: talk })).rejects.toBe(refused);
  });

  it('reads a long transcript chunk by chunk, and asks for quotes where the insight was found', async () => {
    const words = Array.from(
      { length: 120 },
      (_, index) => `A: ${`Number ${index} tells of water on the trail. `.repeat(16)}`,
    );
    const transcript = spoken(words);
    const { model } = await run(
      {
        speaker_names: [{ json: { speakers: [] } }],
        insight_value_gate: [{ json: { ratings: [{ insight: 0, value: 'core' }] } }],
        insights: (request) => ({ json: { insights: [{ text: request.user.slice(1, 6), type: 'claim' }] } }),
      },
      transcript,
    );

    const asked = model.requests.filter((request) => request.json?.name === 'insights');
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.every((request) => request.user.length <= 30_000)).toBe(true);
    expect(model.requests.filter((request) => request.json?.name === 'quotes')).toHaveLength(asked.length);
  });

  it('carries the version of its prompts', async () => {
    const { promptVersion, artifact } = await run();

    expect(promptVersion).toBe(promptVersions.gi);
    expect(artifact.prompt_version).toBe(promptVersions.gi);
  });
});

const shared = sharedTranscript('p01_e02');
const sharedData = shared === undefined ? describe.skip : describe;
sharedData('llmTextEngine insights on p01_e02 (skipped where ../shared/data is not there)', () => {
  it('satisfies the published JSON Schema and the grounding contract', async () => {
    const { artifact } = await run({ speaker_names: [{ json: { speakers: [] } }] }, shared ?? talk);

    expect(schemaFaults('gi', artifact)).toEqual([]);
    expect(verifyGrounding(artifact, shared ?? talk)).toEqual([]);
    expect(insightsOf(artifact).every((insight) => insight.grounded)).toBe(true);
  });
});
