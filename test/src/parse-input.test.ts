import { batchInputSchema } from '../../src/batch.js';
import { parseInput } from '../../src/parse-input.js';

const good = { source: { feed: 'feed.xml' } };

describe('parseInput', () => {
  it('gives what is legal', () => {
    expect(parseInput(batchInputSchema, good)).toEqual({ ok: true, value: good });
  });

  it.each([
    [{ ...good, limit: 0 }, 'limit: got 0, allowed: a whole number from 1 to 1000000'],
    [{ ...good, window: 'many' }, 'window: got "many", allowed: a whole number from 1 to 100'],
    [{ ...good, haltOnFailedShare: 0 }, 'haltOnFailedShare: got 0, allowed: a number above 0 to 1'],
    [{ ...good, windw: 3 }, 'unknown field "windw"; did you mean "window"?'],
    [{ ...good, only: [] }, 'only: got a list of 0, allowed: a list that is not empty'],
    [{ source: { feed: 5 } }, 'source.feed: got 5, allowed: URL or file path of an RSS feed'],
    [{ source: {} }, 'source: got {}, allowed: exactly one of the fields feed, audio, corpus'],
    [
      { source: { feed: 'a', audio: ['b'] } },
      'source: got {feed, audio}, allowed: exactly one of the fields feed, audio, corpus',
    ],
    [{ source: { fed: 'a' } }, 'source: got {fed}, allowed: exactly one of the fields feed, audio, corpus'],
    [{}, 'source: got nothing, allowed: a mapping of fields to values'],
    [
      { ...good, overrides: { a: null } },
      'overrides.a: got null, allowed: a text or a number or true or false or a list',
    ],
    ['text', 'input: got "text", allowed: a mapping of fields to values'],
  ])('says of %j what was got and what is allowed', (input, fault) => {
    expect(parseInput(batchInputSchema, input)).toEqual({ ok: false, faults: fault });
  });
});
