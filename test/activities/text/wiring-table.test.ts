import type { TextEngine } from '../../../activities/text/engine.js';
import { verifyGrounding } from '../../../src/verify-grounding.js';
import { chatModel as model, chatWires, startChatEngine } from '../../support/chat-engine.js';
import type { Stub } from '../../support/stub/stub.js';
import { episodeOf, talk } from '../../support/spoken.js';

const input = { episode: episodeOf(), transcript: talk };

describe.each(chatWires)('the wiring table of structured answers, over %s', (wire) => {
  let stub: Stub;
  let violations: string[];
  let engine: TextEngine;

  beforeAll(async () => {
    ({ stub, engine, violations } = await startChatEngine(wire));
  });
  beforeEach(async () => {
    await stub.reset();
    violations.length = 0;
  });
  afterAll(() => stub.close());

  const play = (...modes: string[]): void => {
    stub.endpoint('llm').script({ steps: modes.map((mode) => ({ mode, times: 1 })) });
  };
  const callCount = (): number => stub.calls.length;

  it('makes every artifact when all answers are valid', async () => {
    const summary = await engine.summarize(input);
    const insights = await engine.insights(input);
    const graph = await engine.knowledgeGraph(input);

    expect(summary.degraded).toBeUndefined();
    expect(insights.modelReported).toBe(model);
    expect(verifyGrounding(insights.artifact, talk)).toEqual([]);
    expect(graph.artifact.episode_id).toBe('e02');
    expect(violations).toEqual([]);
  });

  it.each([
    ['a cut answer', 'truncate+length'],
    ['JSON that does not parse', 'bad-json'],
    ['no content, cut', 'empty'],
    ['null for content', 'null-content'],
    ['a storm of white space', 'whitespace'],
    ['a prompt that the server cut', 'low-prompt-tokens'],
    ['an envelope that is not one', 'bad-schema'],
  ])('asks for a summary once more after %s', async (_, mode) => {
    play(mode);

    expect((await engine.summarize(input)).calls).toBe(2);
    expect(callCount()).toBe(2);
    expect(violations).toHaveLength(1);
  });

  it.each([
    ['a think block', 'think'],
    ['a fence', 'fence'],
  ])('reads a summary behind %s', async (_, mode) => {
    play(mode);

    expect((await engine.summarize(input)).calls).toBe(1);
  });

  it('gives a summary up after two cut answers', async () => {
    play('truncate+length', 'truncate+length');

    await expect(engine.summarize(input)).rejects.toMatchObject({ service: 'summary', reason: 'finish_reason_length' });
    expect(callCount()).toBe(2);
  });

  it('salvages a cut list of insights without a re-roll', async () => {
    play('truncate+length');

    expect((await engine.insights(input)).degraded).toContain('salvaged');
    expect(violations).toEqual([]);
  });

  it('keeps all insights when the value gate stays invalid after its re-roll', async () => {
    play('ok', 'bad-json', 'bad-json');

    expect((await engine.insights(input)).degraded).toContain('value gate failed open');
    expect(violations).toEqual(['insight_value_gate json_parse_failed', 'insight_value_gate json_parse_failed']);
  });

  it.each([['truncate+length'], ['bad-json'], ['bad-schema'], ['refusal']])(
    'makes a metadata-only graph after one answer that is invalid or refused (%s)',
    async (mode) => {
      play(mode);

      const { artifact, degraded } = await engine.knowledgeGraph(input);
      expect(artifact.extraction.model_version).toBe('metadata_only');
      expect(degraded).toMatch(/^metadata-only graph: /);
      expect(callCount()).toBe(1);
    },
  );

  it('passes a 503 on from every call, without asking again', async () => {
    play('status:503');
    await expect(engine.knowledgeGraph(input)).rejects.toMatchObject({ type: 'EndpointUnavailable' });
    play('ok', 'status:503');
    await expect(engine.insights(input)).rejects.toMatchObject({ type: 'EndpointUnavailable' });
    expect(violations).toEqual([]);
  });
});
