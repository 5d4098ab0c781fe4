import { complete, options, play, type Played } from '../../activities/providers/support.js';
import { locateQuote } from '../../../src/grounding.js';
import { labelledChunks } from '../../../src/labelled-transcript.js';
import { parseAnswer, type AnswerShape } from '../../../src/structured-answers/answer-shape.js';
import { entailmentShape } from '../../../src/structured-answers/entailment.js';
import { insightValueGateShape } from '../../../src/structured-answers/insight-value-gate.js';
import { insightsShape } from '../../../src/structured-answers/insights.js';
import { knowledgeGraphShape } from '../../../src/structured-answers/knowledge-graph.js';
import { quotesShape } from '../../../src/structured-answers/quotes.js';
import { speakerNamesShape } from '../../../src/structured-answers/speaker-names.js';
import { summaryShape } from '../../../src/structured-answers/summary.js';
import type { Transcript } from '../../../src/transcript.js';
import { cannedSpeech } from './canned-speech.js';

const speech = cannedSpeech('0123456789abcdef', 60);
const transcript: Transcript = {
  durationSec: 60,
  segments: speech.segments.map(({ start, end, text, speaker }) => ({
    startSec: start,
    endSec: end,
    text,
    speaker: `SPEAKER_0${speaker}`,
  })),
};
const user = labelledChunks(transcript, [], 30_000).join('\n\n');

describe.each(['openai-chat', 'ollama-chat', 'gemini'] as const)('answers by default over %s', (wire) => {
  let played: Played;
  beforeAll(async () => {
    played = await play(wire);
  });
  afterAll(() => played.stub.close());

  async function ask<T>(shape: AnswerShape<T>, prompt: string): Promise<T> {
    const request = { system: '', user: prompt, temperature: 0, maxOutputTokens: 1000 };
    const json = { name: shape.name, schema: shape.jsonSchema };
    const answer = await complete(wire)({ ...request, json }, played.service, options());
    return parseAnswer(shape, answer.text);
  }

  it('are valid for every schema of the text stages', async () => {
    expect((await ask(summaryShape, user)).bullets.length).toBeGreaterThanOrEqual(3);
    expect((await ask(insightsShape, user)).insights.length).toBeGreaterThanOrEqual(3);
    expect((await ask(insightValueGateShape, '0. A\n1. B')).ratings).toHaveLength(2);
    expect(
      (await ask(entailmentShape, '0. Insight: A\n   Quote: B\n1. Insight: C\n   Quote: D')).verdicts,
    ).toHaveLength(2);
    expect((await ask(knowledgeGraphShape, user)).topics).toHaveLength(1);
    await expect(ask(speakerNamesShape, user)).resolves.toBeDefined();
  });

  it('quote what was said', async () => {
    const { insights } = await ask(insightsShape, user);
    const list = insights.map(({ text }, index) => `${index}. ${text}`).join('\n');
    const { quotes } = await ask(quotesShape, `Insights:\n${list}\n\nTranscript:\n${user}`);
    expect(quotes).toHaveLength(insights.length);
    for (const { quote } of quotes) expect(locateQuote(transcript, quote)).toBeDefined();
  });

  it('can be overridden by name', async () => {
    played.endpoint.chatAnswer('summary', () => '{"title": "cut');
    await expect(ask(summaryShape, user)).rejects.toThrow('summary');
  });
});
