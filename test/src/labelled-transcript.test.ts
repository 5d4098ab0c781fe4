import fc from 'fast-check';
import { clockOf, labelledChunks, secOfClock } from '../../src/labelled-transcript.js';
import { normaliseSpace } from '../../src/grounding.js';
import { spoken, talk } from '../support/spoken.js';

describe('labelledChunks', () => {
  it('puts time and speaker above the words, with the names that are known', () => {
    const [chunk] = labelledChunks(
      talk,
      [{ speaker: 'SPEAKER_01', name: 'Sophie', role: 'guest', source: 'audio' }],
      9000,
    );

    expect(chunk).toContain('[0:06] Sophie\nThanks, Maya. Great to be back.\n\n[0:08] SPEAKER_00\n');
  });

  it('leaves the speaker out where nobody was diarized', () => {
    const transcript = { durationSec: 2, segments: [{ startSec: 1, endSec: 2, text: 'Hello.' }] };

    expect(labelledChunks(transcript, [], 100)).toEqual(['[0:01]\nHello.']);
  });

  it('loses no word, whatever the size of the chunks', () => {
    const words = fc.array(fc.constantFrom('water', 'on', 'trails', 'a'.repeat(300)), { minLength: 1, maxLength: 200 });

    fc.assert(
      fc.property(
        fc.array(words, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 60, max: 4000 }),
        (lines, maxChars) => {
          const transcript = spoken(lines.map((line, index) => `${index % 2 ? 'A' : 'B'}: ${line.join(' ')}`));
          const chunks = labelledChunks(transcript, [], maxChars);
          const spokenWords = chunks
            .join('\n\n')
            .split('\n')
            .filter((line) => line !== '' && !line.startsWith('['));

          expect(spokenWords.join('').replaceAll(' ', '')).toBe(
            normaliseSpace(lines.flat().join('')).replaceAll(' ', ''),
          );
        },
      ),
    );
  });

  it.each([-1000, 0, 1])('comes to an end with all words where there is room for %d characters', (maxChars) => {
    expect(
      labelledChunks(spoken([`A: ${'word '.repeat(100)}`]), [], maxChars)
        .join(' ')
        .match(/word/g),
    ).toHaveLength(100);
  });

  it('says of each part of a long segment when it is said', () => {
    const long = { startSec: 0, endSec: 3600, text: 'word '.repeat(720).trim() };
    const clocks = labelledChunks({ durationSec: 3600, segments: [long] }, [], 100_000)
      .join('\n')
      .match(/\[[\d:]+\]/g);

    expect(clocks).toEqual(['[0:00]', '[15:00]', '[30:00]', '[45:00]']);
  });

  it('makes no chunk longer than it may be', () => {
    const transcript = spoken(Array.from({ length: 50 }, (_, index) => `A${index}: ${'many words '.repeat(100)}`));

    expect(Math.max(...labelledChunks(transcript, [], 3000).map((chunk) => chunk.length))).toBeLessThanOrEqual(3000);
  });
});

describe('clockOf and secOfClock', () => {
  it('are each other’s inverse, to the second', () => {
    for (const sec of [0, 59, 60, 3599, 3600, 7325]) expect(secOfClock(`[${clockOf(sec)}]`)).toBe(sec);
  });

  it('read no time out of other words', () => {
    expect(secOfClock('soon')).toBeUndefined();
    expect(secOfClock('1:2')).toBeUndefined();
  });
});
