import { checkAnswer, type AnswerToCheck, type GuardrailOptions } from '../../../src/structured-answers/guardrails.js';

const check = (answer: Partial<AnswerToCheck>, options: Partial<GuardrailOptions> = {}): (() => void) => {
  return () => {
    checkAnswer(
      { text: '{"a":1}', finishReason: 'stop', ...answer },
      { service: 'summary', sent: 'short', ...options },
    );
  };
};
const english = 'We talk about the trail and its water. '.repeat(1500);
const chinese = '今天我们谈谈山路和水。'.repeat(1500);

describe('checkAnswer', () => {
  it.each<[string, Partial<AnswerToCheck>, string]>([
    ['a cut answer, even if it parses', { finishReason: 'length' }, 'finish_reason_length'],
    ['a filtered answer', { finishReason: 'content-filter' }, 'finish_reason_content_filter'],
    ['an empty answer', { text: ' \n' }, 'empty_content'],
    ['a think block with nothing behind it', { text: '<think>a</think>' }, 'empty_content'],
    ['a think block that does not end', { text: '<think>so, {"a":1}' }, 'thinking_prose_detected'],
    ['thinking out loud near the start', { text: `${' x'.repeat(50)} Let me think` }, 'thinking_prose_detected'],
    ['a storm of white space', { text: `{"a":${' '.repeat(1000)}1}` }, 'whitespace_storm'],
  ])('refuses %s', (_, answer, reason) => {
    expect(check(answer)).toThrow(`Invalid answer to summary: ${reason}`);
  });

  it.each<[string, Partial<AnswerToCheck>]>([
    ['a think block in front of the answer', { text: '<think>Okay, so I need to</think>{"a":1}' }],
    ['the markers as somebody’s words inside of JSON', { text: '{"quote":"Let me think about it"}' }],
    ['a marker far behind the start', { text: `${'x '.repeat(150)}Let me think` }],
    ['an end that the server does not name', { finishReason: 'other' }],
  ])('lets %s pass', (_, answer) => {
    expect(check(answer)).not.toThrow();
  });

  it('refuses an answer to a prompt of which too few tokens were read', () => {
    expect(check({ inputTokens: 4096 }, { sent: english })).toThrow(/58500 characters sent, 4096 tokens read/);
    expect(check({ inputTokens: 4096 }, { sent: chinese })).toThrow(/16500 characters sent, 4096 tokens read/);
  });

  it('refuses an answer to a prompt that filled the whole context: what did not fit was cut off', () => {
    expect(check({ inputTokens: 12_288 }, { sent: english, contextTokens: 12_288 })).toThrow(/prompt_truncated/);
    expect(check({ inputTokens: 12_287 }, { sent: english, contextTokens: 12_288 })).not.toThrow();
  });

  it('lets the counts of common tokenisers pass, and counts that are not reported', () => {
    expect(check({ inputTokens: 12_000 }, { sent: english })).not.toThrow();
    expect(check({ inputTokens: 10_000 }, { sent: chinese })).not.toThrow();
    expect(check({ inputTokens: 0 }, { sent: english })).not.toThrow();
    expect(check({}, { sent: english })).not.toThrow();
  });

  it('leaves white space behind a list that was cut to the salvage of its lines', () => {
    const text = `{"insights":[{"text":"a","type":"claim"},${'\n'.repeat(5000)}`;
    expect(check({ text, finishReason: 'length' }, { lengthAllowed: true })).not.toThrow();
  });
});
