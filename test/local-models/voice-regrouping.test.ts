import { regroupByVoice, unit, type Voice } from '../../local-models/voice-regrouping.js';

const maya = [1, 0, 0.1];
const liam = [0, 1, 0.1];

/** A moment every half second, each of the voice that `who` gives. */
function voices(lengthSec: number, who: (atSec: number) => readonly number[]): Voice[] {
  return Array.from({ length: lengthSec * 2 }, (_, index) => ({ atSec: index / 2, embedding: unit(who(index / 2)) }));
}
const liamBetween =
  (startSec: number, endSec: number) =>
  (atSec: number): number[] =>
    atSec >= startSec && atSec < endSec ? liam : maya;

describe('regroupByVoice', () => {
  it('finds the second speaker in what was taken for one', () => {
    const turns = [{ startSec: 0, endSec: 12, speaker: 0 }];
    const regrouped = regroupByVoice(turns, voices(12, liamBetween(4, 7)), 2);
    expect(regrouped.map(({ startSec, endSec }) => [startSec, endSec])).toEqual([
      [0, 3.75],
      [3.75, 6.75],
      [6.75, 12],
    ]);
    expect(regrouped[2]?.speaker).toBe(regrouped[0]?.speaker);
    expect(regrouped[1]?.speaker).not.toBe(regrouped[0]?.speaker);
  });

  it('keeps the ends of turns that were found before', () => {
    const turns = [
      { startSec: 0, endSec: 4.1, speaker: 0 },
      { startSec: 4.1, endSec: 12, speaker: 1 },
    ];
    const regrouped = regroupByVoice(turns, voices(12, liamBetween(4, 12)), 2);
    expect(regrouped.map(({ startSec, endSec }) => [startSec, endSec])).toEqual([
      [0, 4.1],
      [4.1, 12],
    ]);
  });

  it('gives the moments of a speaker too many to the others', () => {
    const turns = [
      { startSec: 0, endSec: 6, speaker: 0 },
      { startSec: 6, endSec: 8, speaker: 2 },
      { startSec: 8, endSec: 12, speaker: 1 },
    ];
    const regrouped = regroupByVoice(turns, voices(12, liamBetween(8, 12)), 2);
    expect(new Set(regrouped.map(({ speaker }) => speaker)).size).toBe(2);
    expect(regrouped.find(({ startSec }) => startSec === 6)?.speaker).toBe(regrouped[0]?.speaker);
  });

  it('overlooks a single odd moment', () => {
    const turns = [{ startSec: 0, endSec: 12, speaker: 0 }];
    const odd = voices(12, (atSec) => (atSec >= 9 ? liam : atSec === 3 ? [1, 1.05, 0.1] : maya));
    expect(regroupByVoice(turns, odd, 2).filter(({ startSec }) => startSec < 8)).toHaveLength(1);
  });

  it('leaves silence between turns alone', () => {
    const turns = [
      { startSec: 0, endSec: 3, speaker: 0 },
      { startSec: 5, endSec: 8, speaker: 0 },
    ];
    const regrouped = regroupByVoice(turns, voices(8, liamBetween(5, 8)), 2);
    expect(regrouped.map(({ startSec, endSec }) => [startSec, endSec])).toEqual([
      [0, 3],
      [5, 8],
    ]);
  });

  it('leaves turns alone when there is too little to hear', () => {
    const turns = [{ startSec: 0, endSec: 1, speaker: 0 }];
    expect(
      regroupByVoice(
        turns,
        voices(0, () => maya),
        2,
      ),
    ).toEqual(turns);
  });
});
