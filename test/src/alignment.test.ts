import fc from 'fast-check';
import { assignSpeakers } from '../../src/alignment.js';
import type { Segment, Transcript, Turn } from '../../src/transcript.js';

const turn = (startSec: number, endSec: number, speaker: string): Turn => ({ startSec, endSec, speaker });
const segment = (startSec: number, endSec: number, text = 'text'): Segment => ({ startSec, endSec, text });
const speakers = (segments: Segment[], turns: Turn[]): (string | undefined)[] =>
  assignSpeakers({ durationSec: 100, segments }, turns).segments.map((one) => one.speaker);

describe('assignSpeakers', () => {
  it('gives a segment the speaker with the largest overlap', () => {
    expect(speakers([segment(0, 10)], [turn(0, 4, 'A'), turn(4, 10, 'B')])).toEqual(['B']);
  });

  it('adds up several turns of one speaker', () => {
    expect(speakers([segment(0, 10)], [turn(0, 3, 'A'), turn(3, 7, 'B'), turn(7, 10, 'A')])).toEqual(['A']);
  });

  it('gives a tie to the previous speaker', () => {
    const turns = [turn(0, 2, 'B'), turn(2, 4, 'A'), turn(4, 6, 'B')];

    expect(speakers([segment(0, 2), segment(2, 6)], turns)).toEqual(['B', 'B']);
  });

  it('gives a gap to the previous speaker', () => {
    expect(speakers([segment(0, 2), segment(5, 6)], [turn(0, 2, 'A'), turn(6.5, 9, 'B')])).toEqual(['A', 'A']);
  });

  it('gives a gap before anybody spoke to the nearest turn', () => {
    expect(speakers([segment(0, 1)], [turn(9, 12, 'A'), turn(3, 5, 'B')])).toEqual(['B']);
  });

  it('leaves the speakers out when there are no turns', () => {
    expect(speakers([{ ...segment(0, 1), speaker: 'old' }], [])).toEqual([undefined]);
  });

  it('splits a segment with word times where the speaker changes', () => {
    const words = [
      { startSec: 0, endSec: 1, text: ' Hello,' },
      { startSec: 1, endSec: 2, text: ' there.' },
      { startSec: 2, endSec: 3, text: ' Thanks,' },
      { startSec: 3, endSec: 4, text: ' Maya.' },
    ];
    const whole: Segment = { startSec: 0, endSec: 4.5, text: ' Hello, there. Thanks, Maya.', words };

    const { segments } = assignSpeakers({ durationSec: 5, segments: [whole] }, [turn(0, 2, 'A'), turn(2, 5, 'B')]);

    expect(segments.map(({ startSec, endSec, text, speaker }) => ({ startSec, endSec, text, speaker }))).toEqual([
      { startSec: 0, endSec: 2, text: ' Hello, there.', speaker: 'A' },
      { startSec: 2, endSec: 4.5, text: 'Thanks, Maya.', speaker: 'B' },
    ]);
  });

  it('keeps a segment whole when its words are not those of its text', () => {
    const words = [
      { startSec: 0, endSec: 1, text: 'Hello' },
      { startSec: 2, endSec: 3, text: 'World' },
    ];

    const { segments } = assignSpeakers(
      { durationSec: 5, segments: [{ startSec: 0, endSec: 3, text: 'Hello brave World', words }] },
      [turn(0, 1.5, 'A'), turn(1.5, 5, 'B')],
    );

    expect(segments).toHaveLength(1);
  });

  it('never loses text and names a speaker for every segment', () => {
    const word = fc.constantFrom('so', 'well,', 'the', 'trail', 'is', 'steep.', '—', 'ä', '3.5');
    const spoken = fc.tuple(fc.array(word, { minLength: 1, maxLength: 8 }), fc.double({ min: 0, max: 5, noNaN: true }));
    const anyTurn = fc
      .tuple(
        fc.double({ min: 0, max: 40, noNaN: true }),
        fc.double({ min: 0.1, max: 9, noNaN: true }),
        fc.constantFrom('A', 'B', 'C'),
      )
      .map(([startSec, lengthSec, speaker]) => turn(startSec, startSec + lengthSec, speaker));

    fc.assert(
      fc.property(fc.array(spoken), fc.array(anyTurn, { minLength: 1 }), fc.boolean(), (parts, turns, timed) => {
        const transcript = transcriptOf(parts, timed);
        const aligned = assignSpeakers(transcript, turns);

        expect(flat(aligned)).toBe(flat(transcript));
        expect(aligned.segments.every((one) => one.speaker !== undefined && one.endSec >= one.startSec)).toBe(true);
      }),
    );
  });
});

function transcriptOf(parts: readonly (readonly [string[], number])[], timed: boolean): Transcript {
  let at = 0;
  const segments = parts.map(([texts, gapSec]): Segment => {
    const startSec = at + gapSec;
    const words = texts.map((text, index) => ({ startSec: startSec + index, endSec: startSec + index + 0.8, text }));
    at = startSec + texts.length;
    return { startSec, endSec: at, text: texts.join(' '), ...(timed ? { words } : {}) };
  });
  return { durationSec: at, segments };
}

const flat = (transcript: Transcript): string => transcript.segments.map((one) => one.text.trim()).join(' ');
