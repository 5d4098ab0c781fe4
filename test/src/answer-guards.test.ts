import fc from 'fast-check';
import {
  belowLengthFloor,
  coveredShare,
  diarizationFault,
  isLoop,
  speechCoverage,
  speechCoverageFault,
  transcriptFault,
} from '../../src/answer-guards.js';
import type { Segment, Transcript } from '../../src/transcript.js';
import { cannedSpeech } from '../support/stub/canned-speech.js';

/** Normal speech of the given length in segments of ten seconds. */
function speech(durationSec: number, coveredSec = durationSec): Transcript {
  const canned = cannedSpeech('abcdef0123456789', durationSec);
  const segments: Segment[] = canned.segments
    .filter((segment) => segment.end <= coveredSec + 0.001)
    .map(({ start, end, text }) => ({ startSec: start, endSec: end, text }));
  return { durationSec, segments };
}
const said = (text: string, durationSec = 60): Transcript => ({
  durationSec,
  segments: [{ startSec: 0, endSec: durationSec, text }],
});
const judge = (transcript: Transcript, coverageMin = 0) =>
  transcriptFault(transcript, { durationSec: transcript.durationSec, coverageMin });

describe('transcriptFault', () => {
  it('believes normal speech of any length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4000 }), (durationSec) => {
        expect(judge(speech(durationSec), 0.85)).toBeUndefined();
      }),
      { numRuns: 40 },
    );
  });

  it('refuses no text', () => {
    expect(judge({ durationSec: 3, segments: [] })).toBe('empty_response');
    expect(judge(said('  \n'))).toBe('empty_response');
  });

  it('refuses fewer than half the words of normal speech', () => {
    const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');
    expect(judge(said(words(74)))).toBe('length_floor_violated');
    expect(judge(said(words(75)))).toBeUndefined();
  });

  it('counts characters where a script has no spaces', () => {
    expect(belowLengthFloor('今日は山の道とそれを作る人々について話します', 15)).toBe(true);
    expect(belowLengthFloor('今日は山の道とそれを作る人々について話します'.repeat(2), 15)).toBe(false);
  });

  it('has no floor for clips of up to five seconds', () => {
    expect(judge(said('Hello.', 5))).toBeUndefined();
    expect(belowLengthFloor('Hello.', 5.1)).toBe(true);
  });

  it('refuses one phrase repeated to the end, however confident', () => {
    expect(judge(said('and then we went on '.repeat(200), 300))).toBe('repeated_phrase');
    const beginning = speech(120)
      .segments.map((segment) => segment.text)
      .join(' ');
    expect(judge(said(`${beginning} ${'Thank you. '.repeat(90)}`, 200))).toBe('repeated_phrase');
  });

  it.each([
    ['NaN', Number.NaN, 1],
    ['an end before its start', 5, 4],
    ['a negative start', -1, 4],
    ['a start long after the audio', 500, 501],
  ])('refuses %s among the times', (_name, startSec, endSec) => {
    const transcript = speech(60);
    const segments = [...transcript.segments, { startSec, endSec, text: 'odd' }];
    expect(judge({ ...transcript, segments })).toBe('invalid_times');
  });

  it('refuses a transcript that covers too little of the audio, where the plan asks for coverage', () => {
    const partial = {
      ...said(Array.from({ length: 400 }, (_, index) => `word${index}`).join(' '), 94),
      durationSec: 300,
    };
    expect(judge(partial, 0.85)).toBe('audio_coverage_too_low');
    expect(judge(partial, 0)).toBeUndefined();
  });
});

describe('isLoop', () => {
  it.each([
    'No, no, no, no, no, no, no.',
    'Ha ha ha ha ha ha ha ha ha ha. That was funny.',
    'We will, we will rock you. We will, we will rock you. Thanks for listening to the show.',
  ])('lets people repeat themselves: %s', (text) => {
    expect(isLoop(text)).toBe(false);
  });

  it('finds any phrase repeated often enough at the end, also when the last one is cut', () => {
    const phrase = fc.array(fc.constantFrom('trail', 'water', 'stone', 'guest', 'city', 'hose'), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(phrase, fc.integer({ min: 30, max: 200 }), fc.nat(19), (words, repeats, cut) => {
        const all = Array.from({ length: repeats }, () => words).flat();
        expect(isLoop(all.slice(0, all.length - Math.min(cut, words.length - 1)).join(' '))).toBe(true);
      }),
    );
  });
});

describe('diarizationFault', () => {
  it('refuses nobody speaking in audio of more than five seconds that has words', () => {
    expect(diarizationFault({ turns: [] }, { durationSec: 6 })).toBe('empty_segments');
    expect(diarizationFault({ turns: [] }, { durationSec: 6, transcriptWords: 10 })).toBe('empty_segments');
  });

  it('accepts nobody speaking in a short clip and where there are no words', () => {
    expect(diarizationFault({ turns: [] }, { durationSec: 5 })).toBeUndefined();
    expect(diarizationFault({ turns: [] }, { durationSec: 600, transcriptWords: 0 })).toBeUndefined();
  });
});

describe('speechCoverage', () => {
  const turns = [
    { startSec: 0, endSec: 50, speaker: 'SPEAKER_00' },
    { startSec: 40, endSec: 100, speaker: 'SPEAKER_01' },
  ];

  it('counts overlapping speech once', () => {
    expect(speechCoverage(said('x', 80), { turns })).toBeCloseTo(0.8);
    expect(speechCoverageFault(said('x', 80), { turns }, 0.85)).toBe('speech_coverage_too_low');
    expect(speechCoverageFault(said('x', 80), { turns }, 0.8)).toBeUndefined();
  });

  it('is whole where nobody speaks', () => {
    expect(speechCoverage(said('x', 80), { turns: [] })).toBe(1);
  });
});

describe('coveredShare', () => {
  it('is between none and all, and grows with every span', () => {
    const span = fc
      .tuple(fc.nat(100), fc.nat(100))
      .map(([a, b]) => ({ startSec: Math.min(a, b), endSec: Math.max(a, b) }));
    fc.assert(
      fc.property(fc.array(span), span, (spans, more) => {
        const share = coveredShare(spans, 100);
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
        expect(coveredShare([...spans, more], 100)).toBeGreaterThanOrEqual(share);
      }),
    );
  });
});
