import { structuredCallWithReroll } from '../../src/reroll.js';
import { InvalidAnswerError } from '../../src/structured-answers/invalid-answer.js';

/** Gives the answers one after the other, and counts. */
function scripted(...answers: string[]): { call: () => Promise<string>; count: () => number } {
  let count = 0;
  return { call: () => Promise.resolve(answers[count++] ?? 'none left'), count: () => count };
}
const validate = (answer: string): number => {
  if (answer === 'good') return 1;
  if (answer === 'error') throw new TypeError('secret words of the answer');
  throw new InvalidAnswerError('summary', 'json_parse_failed');
};
const options = { service: 'summary' };

describe('structuredCallWithReroll', () => {
  it('makes one call when the answer is valid', async () => {
    const { call, count } = scripted('good');

    await expect(structuredCallWithReroll(call, validate, options)).resolves.toBe(1);
    expect(count()).toBe(1);
  });

  it('makes the same call once more after an invalid answer', async () => {
    const { call, count } = scripted('bad', 'good');

    await expect(structuredCallWithReroll(call, validate, options)).resolves.toBe(1);
    expect(count()).toBe(2);
  });

  it('gives up as an invalid answer after the second one', async () => {
    const { call, count } = scripted('bad', 'bad', 'good');

    await expect(structuredCallWithReroll(call, validate, options)).rejects.toMatchObject({
      name: 'InvalidAnswerError',
      service: 'summary',
      reason: 'json_parse_failed',
    });
    expect(count()).toBe(2);
  });

  it('takes any error of the validation for an invalid answer, without its words', async () => {
    const failed = structuredCallWithReroll(scripted('error', 'error').call, validate, options);

    await expect(failed).rejects.toThrow('Invalid answer to summary: schema_mismatch (TypeError)');
  });

  it('passes on what the call itself throws, and does not call again', async () => {
    const refused = new Error('ECONNREFUSED');
    let count = 0;
    const call = (): Promise<string> => {
      count += 1;
      return Promise.reject(refused);
    };

    await expect(structuredCallWithReroll(call, validate, options)).rejects.toBe(refused);
    expect(count).toBe(1);
  });

  it('counts every violation by service and reason', async () => {
    const seen: string[] = [];
    const onViolation = (service: string, reason: string): number => seen.push(`${service} ${reason}`);

    await structuredCallWithReroll(scripted('bad', 'error').call, validate, { ...options, onViolation }).catch(() => 0);

    expect(seen).toEqual(['summary json_parse_failed', 'summary schema_mismatch']);
  });
});
