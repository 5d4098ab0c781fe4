import fc from 'fast-check';
import { extractJson } from '../../../src/structured-answers/extract-json.js';
import { InvalidAnswerError } from '../../../src/structured-answers/invalid-answer.js';
import { parseInsights } from '../../../src/structured-answers/insights.js';
import { parseSummary } from '../../../src/structured-answers/summary.js';

const outcomeOf = (parse: () => unknown): string => {
  try {
    parse();
    return 'valid';
  } catch (error) {
    return error instanceof InvalidAnswerError ? error.reason : 'another error';
  }
};
const reasonOf = (text: string): string => outcomeOf(() => extractJson('summary', text));

describe('extractJson', () => {
  it.each([
    ['plain JSON', '{"a":1}'],
    ['an array', ' [1] '],
    ['a fence', '```json\n{"a":1}\n```'],
    ['a fence that is not closed around whole JSON', '```\n{"a":1}'],
    ['a think block in front', '<think>\nOkay, so {"a":0}\n</think>\n\n{"a":1}'],
    ['a think block in front of a fence', '<think>x</think>```json\n{"a":1}\n```'],
    ['a think block whose opening tag is in the prompt', 'Okay, so I need to.\n</think>\n{"a":1}'],
    [
      'a think block whose opening tag is in the prompt, with drafts in it',
      'So: {"a":0}, or [1]?\n```\n</think>\n{"a":1}',
    ],
    ['two think blocks in front', '<think>a</think>\n<thinking>b</thinking>\n{"a":1}'],
    ['a think block that closes late', `<think>${'hm '.repeat(500)}</think>{"a":1}`],
    ['a byte order mark in front', '\uFEFF{"a":1}'],
    ['a key that is there twice', '{"a":1,"a":2}'],
    ['halves of characters', '{"a":"\\ud800"}'],
    ['JSON nested as deep as one can', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['braces and fences inside of strings', '{"a":"} ``` <think>"}'],
  ])('takes %s', (_, text) => {
    expect(reasonOf(text)).toBe('valid');
  });

  it.each([
    ['nothing', '  \n ', 'empty_content'],
    ['a think block alone', '<think>hm</think>', 'empty_content'],
    ['a think block that does not end', '<think>{"a":1}', 'json_parse_failed'],
    ['prose in front', 'Here is the JSON: {"a":1}', 'json_parse_failed'],
    ['a refusal', 'I am sorry, but I cannot help with that.', 'json_parse_failed'],
    ['a bare string', '"I cannot help with that."', 'json_parse_failed'],
    ['JSON that is cut', '{"bullets":["a","b', 'json_parse_failed'],
    ['JSON that is cut inside of a fence', '```json\n{"bullets":["a"]\n```', 'json_parse_failed'],
    ['a brace too many', '{"{"bullets":["a"]}', 'json_parse_failed'],
    ['JSON nested as deep as one can, and cut', '['.repeat(100_000), 'json_parse_failed'],
    ['bare NaN', '{"a":NaN}', 'json_parse_failed'],
    ['prose behind a fence', '```json\n{"a":1}\n```\nI hope that this helps.', 'json_parse_failed'],
    ['two objects', '{"a":1}{"a":2}', 'json_parse_failed'],
    ['an object on each line', '{"a":1}\n{"a":2}', 'json_parse_failed'],
    ['an error instead of an answer', '{"error":{"message":"overloaded"}}', 'error_body'],
    ['an error with a code', '{"error":"busy","code":503}', 'error_body'],
  ])('refuses %s', (_, text, reason) => {
    expect(reasonOf(text)).toBe(reason);
  });

  it('throws nothing but InvalidAnswerError, whatever the text', () => {
    const fragment = fc.constantFrom(
      '<think>',
      '</think>',
      '```',
      '```json\n',
      '{',
      '}',
      '[',
      ']',
      '"',
      ',',
      ':',
      '\\',
      ' ',
      '1',
    );
    const broken = fc.array(fc.oneof(fragment, fc.string(), fc.json())).map((parts) => parts.join(''));

    fc.assert(
      fc.property(fc.oneof(fc.string(), broken), (text) => {
        expect(reasonOf(text)).not.toBe('another error');
      }),
      { numRuns: 2000 },
    );
  });

  it('reads no truncated JSON as valid, wrapped or not', () => {
    const wrapped = fc.constantFrom('', '```json\n', '<think>so</think>', '<think>so</think>\n```\n');

    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), wrapped, fc.nat(), (value, front, cut) => {
        const whole = JSON.stringify(value);
        expect(reasonOf(front + whole.slice(0, cut % whole.length))).not.toBe('valid');
      }),
      { numRuns: 2000 },
    );
  });
});

describe('parseSummary and parseInsights', () => {
  it('throw nothing but InvalidAnswerError, whatever the text', () => {
    const fragment = fc.constantFrom(
      '{"bullets":["',
      '"]',
      '}',
      ',',
      '{"text":"a","type":"claim"}',
      '- a\n',
      '"',
      '\\',
    );
    const broken = fc.array(fc.oneof(fragment, fc.string())).map((parts) => parts.join(''));

    fc.assert(
      fc.property(broken, fc.boolean(), (text, truncated) => {
        expect(outcomeOf(() => parseSummary(text))).not.toBe('another error');
        expect(outcomeOf(() => parseInsights(text, truncated))).not.toBe('another error');
      }),
      { numRuns: 2000 },
    );
  });

  it('read no truncated contract of a summary as one', () => {
    const contract = fc.record({
      title: fc.string(),
      bullets: fc.array(
        fc.string().map((text) => `x${text}`),
        { minLength: 1 },
      ),
      key_quotes: fc.array(fc.string()),
    });

    fc.assert(
      fc.property(contract, fc.nat(), fc.constantFrom('', 'Sure:\n'), (value, cut, front) => {
        const whole = JSON.stringify(value, undefined, 2);
        expect(() => parseSummary(front + whole.slice(0, 1 + (cut % (whole.length - 1))))).toThrow(InvalidAnswerError);
      }),
      { numRuns: 1000 },
    );
  });
});
