import fc from 'fast-check';
import { normaliseTurns, type RawTurn } from '../../src/diarization-turns.js';

describe('normaliseTurns', () => {
  it('renames labels of any kind in the order in which the voices are first heard', () => {
    const turns = normaliseTurns([
      { startSec: 5, endSec: 9, speaker: 'S01' },
      { startSec: 0, endSec: 5, speaker: 'S02' },
      { startSec: 9, endSec: 12, speaker: 'S02' },
    ]);

    expect(turns.map((turn) => turn.speaker)).toEqual(['SPEAKER_00', 'SPEAKER_01', 'SPEAKER_00']);
  });

  it('clips turns to the audio and drops those that are empty', () => {
    const turns = normaliseTurns(
      [
        { startSec: -1, endSec: 2, speaker: 'a' },
        { startSec: 3, endSec: 3, speaker: 'b' },
        { startSec: 6, endSec: 5, speaker: 'b' },
        { startSec: 8, endSec: 14, speaker: 'b' },
        { startSec: 11, endSec: 14, speaker: 'c' },
      ],
      10,
    );

    expect(turns).toEqual([
      { startSec: 0, endSec: 2, speaker: 'SPEAKER_00' },
      { startSec: 8, endSec: 10, speaker: 'SPEAKER_01' },
    ]);
  });

  it('keeps turns that overlap', () => {
    const turns = normaliseTurns([
      { startSec: 0, endSec: 4, speaker: 'a' },
      { startSec: 2, endSec: 6, speaker: 'b' },
    ]);

    expect(turns).toHaveLength(2);
  });

  it('changes nothing that is normal already', () => {
    const said = (startSec: number, endSec: number, speaker: string): RawTurn => ({ startSec, endSec, speaker });
    const turn = fc.record({
      startSec: fc.double({ min: -5, max: 50 }),
      endSec: fc.double({ min: -5, max: 50 }),
      speaker: fc.constantFrom('x', 'S01', 'SPEAKER_07', 'é'),
    });

    fc.assert(
      fc.property(fc.array(turn), (turns) => {
        const once = normaliseTurns(turns, 40);
        expect(normaliseTurns(once, 40)).toEqual(once);
      }),
      // Two of one time, the later name of whom has spoken before.
      { examples: [[[said(0, 1, 'x'), said(0, 40, 'S01'), said(0, 40, 'x')]]] },
    );
  });
});
