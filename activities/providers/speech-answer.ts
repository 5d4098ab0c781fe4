import { z } from 'zod';
import { normaliseTurns, type RawTurn } from '../../src/diarization-turns.js';
import { timesFault } from '../../src/answer-guards.js';
import type { Diarization, Segment, Transcript, Word } from '../../src/transcript.js';
import type { HttpAnswer } from './http.js';

/** Seconds; what is no finite number parses to NaN and is judged with the other times, not as a broken shape. */
export const secondsSchema = z.preprocess(
  (value) => (typeof value === 'number' ? value : Number.NaN),
  z.custom<number>((value) => typeof value === 'number'),
);

export interface RawSpeech {
  readonly text: string;
  readonly language?: string | undefined;
  readonly segments: readonly Segment[];
  /** A flat list beside the segments, as OpenAI gives it. */
  readonly words?: readonly Word[] | undefined;
}

/**
 * A vendor's transcript in our own form. Text without timed segments becomes one segment over the whole audio. Words
 * go to the segment that holds their middle, and a segment begins and ends with its words. Impossible times make the
 * answer invalid.
 */
export function asTranscript(answer: HttpAnswer, raw: RawSpeech, durationSec: number): Transcript {
  const timed = raw.segments.filter((segment) => segment.text.trim() !== '');
  if (timesFault(timed, durationSec)) throw answer.invalid({ reason: 'invalid_times' });
  const text = raw.text.trim();
  const whole: Segment[] = text === '' ? [] : [{ startSec: 0, endSec: durationSec, text }];
  const segments = (timed.length > 0 ? timed : whole).map((segment) => ({ ...segment, text: segment.text.trim() }));
  const sorted = segments.sort((a, b) => a.startSec - b.startSec);
  return {
    ...(raw.language !== undefined && { language: raw.language }),
    durationSec,
    segments: raw.words === undefined ? sorted : withWords(sorted, raw.words, durationSec),
  };
}

/** A vendor's turns in our own form; turns that end before they start are dropped, unless none is left. */
export function asDiarization(answer: HttpAnswer, raw: readonly RawTurn[], durationSec: number): Diarization {
  const noNumber = raw.some((turn) => !Number.isFinite(turn.startSec) || !Number.isFinite(turn.endSec));
  const turns = normaliseTurns(raw, durationSec);
  if (noNumber || (raw.length > 0 && turns.length === 0)) throw answer.invalid({ reason: 'invalid_times' });
  return { turns };
}

function withWords(segments: readonly Segment[], words: readonly Word[], durationSec: number): Segment[] {
  const usable = words.filter((word) => word.text.trim() !== '' && !timesFault([word], durationSec));
  const bySegment = segments.map((): Word[] => []);
  let at = 0;
  for (const word of [...usable].sort((a, b) => a.startSec - b.startSec)) {
    const middleSec = (word.startSec + word.endSec) / 2;
    while (at < segments.length - 1 && middleSec >= (segments[at + 1]?.startSec ?? Infinity)) at++;
    bySegment[at]?.push({ ...word, text: word.text.trim() });
  }
  return segments.map((segment, index) => {
    const own = bySegment[index] ?? [];
    const [first] = own;
    const last = own.at(-1);
    if (!first || !last) return segment;
    return { ...segment, startSec: first.startSec, endSec: Math.max(first.startSec, last.endSec), words: own };
  });
}
