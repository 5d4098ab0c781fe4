import { passGate, withoutDuplicates, type InsightCandidate } from '../../src/insight-selection.js';

const candidate = (text: string, tier?: number): InsightCandidate => ({
  text,
  type: 'claim',
  chunk: 0,
  ...(tier === undefined ? {} : { tier }),
});
const texts = (candidates: readonly InsightCandidate[]): string[] => candidates.map((one) => one.text);

describe('withoutDuplicates', () => {
  it('keeps the first of those that say the same in nearly the same words', () => {
    const kept = withoutDuplicates([
      candidate('Tire pressure matters more than suspension.'),
      candidate('Tire pressure matters much more than suspension!'),
      candidate('Suspension matters.'),
    ]);

    expect(texts(kept)).toEqual(['Tire pressure matters more than suspension.', 'Suspension matters.']);
  });
});

describe('passGate', () => {
  it('keeps useful, core and unrated insights, the most valuable first', () => {
    const kept = passGate([candidate('minor', 1), candidate('unrated'), candidate('core', 3), candidate('useful', 2)], {
      cap: 12,
    });

    expect(texts(kept)).toEqual(['core', 'unrated', 'useful']);
  });

  it('keeps the best when nothing is good enough', () => {
    expect(texts(passGate([candidate('filler', 0), candidate('minor', 1)], { cap: 12 }))).toEqual(['minor']);
  });

  it('keeps no more than the cap', () => {
    expect(passGate([candidate('a', 2), candidate('b', 3), candidate('c', 2)], { cap: 2 })).toHaveLength(2);
  });
});
