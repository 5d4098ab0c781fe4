import { lexRank, wordOverlap } from '../../src/lexrank.js';

describe('lexRank', () => {
  it('ranks the sentence highest that shares most with the others', () => {
    const scores = lexRank([
      ['trail', 'water'],
      ['trail', 'water', 'drain'],
      ['drain', 'water'],
      ['guitar', 'solo'],
    ]);

    expect(scores.indexOf(Math.max(...scores))).toBe(1);
    expect(scores.indexOf(Math.min(...scores))).toBe(3);
  });

  it('takes no sentences, and sentences without words', () => {
    expect(lexRank([])).toEqual([]);
    expect(lexRank([[], ['a']]).every(Number.isFinite)).toBe(true);
  });
});

describe('wordOverlap', () => {
  it('is the share of the shorter sentence that the other has too', () => {
    expect(wordOverlap(['a', 'b'], ['b', 'c', 'd'])).toBe(0.5);
    expect(wordOverlap([], ['a'])).toBe(0);
  });
});
