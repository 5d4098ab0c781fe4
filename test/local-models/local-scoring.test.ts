import { diarizationErrorRate, parseRttm, scriptText, wordErrorRate, wordErrors } from '../../bench/local-scoring.js';

describe('wordErrors', () => {
  it('counts substitutions, insertions and deletions', () => {
    expect(wordErrors('Maya: one two three four', 'one too three and')).toEqual({ errors: 2, words: 4 });
  });

  it('overlooks case, apostrophes and punctuation', () => {
    expect(wordErrors("Maya: It's here, now.", 'its HERE now')).toEqual({ errors: 0, words: 3 });
  });
});

describe('scriptText', () => {
  it('leaves out headings, marks and names', () => {
    const script = '# Show\n## Title\n[00:00]\nMaya: Hello there.\nDaniel Cho: Hi.';
    expect(scriptText(script)).toBe('Hello there. Hi.');
  });
});

describe('wordErrorRate', () => {
  it('pools the files by their words', () => {
    expect(
      wordErrorRate([
        { errors: 1, words: 2 },
        { errors: 0, words: 8 },
      ]),
    ).toBe(0.1);
  });
});

describe('diarizationErrorRate', () => {
  const reference = parseRttm(
    'SPEAKER e 1 0.000 4.000 <NA> <NA> Maya <NA> <NA>\nSPEAKER e 1 4.000 4.000 <NA> <NA> Liam <NA> <NA>\n',
  );

  it('is 0 for the same turns under other names', () => {
    const turns = [
      { startSec: 0, endSec: 4, speaker: 'SPEAKER_01' },
      { startSec: 4, endSec: 8, speaker: 'SPEAKER_00' },
    ];
    expect(diarizationErrorRate(reference, turns)).toBe(0);
  });

  it('adds confused, missed and false speech', () => {
    const turns = [
      { startSec: 0, endSec: 5, speaker: 'A' },
      { startSec: 5, endSec: 7, speaker: 'B' },
      { startSec: 8, endSec: 9, speaker: 'B' },
    ];
    expect(diarizationErrorRate(reference, turns)).toBeCloseTo(3 / 8, 5);
  });

  it('charges two speakers taken for one', () => {
    expect(diarizationErrorRate(reference, [{ startSec: 0, endSec: 8, speaker: 'A' }])).toBe(0.5);
  });
});
