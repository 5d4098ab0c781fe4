import type { Diarization, Transcript } from './transcript.js';
import { spokenWordCount } from './words.js';

/** Why a complete answer is not believed; the slug goes into the failure's `code` and into alerts. */
export const answerFaultReasons = [
  'empty_response',
  'length_floor_violated',
  'repeated_phrase',
  'invalid_times',
  'empty_segments',
  'audio_coverage_too_low',
  'speech_coverage_too_low',
] as const;
export type AnswerFaultReason = (typeof answerFaultReasons)[number];

/** Speech is rarely slower than this. */
const wordsPerSecond = 2.5;
/** Fewer words than this share of normal speech are not believed (python-system.md 1.7). */
const lengthFloorShare = 0.5;
/** Shorter audio may well be a jingle or a breath: no floor, and no speakers needed. */
const shortestJudgedSec = 5;
/** Times may run past the audio's end by a decoder's window; beyond this they belong to other audio. */
const timeSlackSec = 30;
/** A phrase of up to this many words, said at least this often, over at least this many words, up to the end. */
const loop = { phraseWordsMax: 24, repeatsMin: 6, wordsMin: 24, shareMin: 1 / 3, wordsAlways: 120 } as const;

interface Span {
  readonly startSec: number;
  readonly endSec: number;
}

export interface TranscriptContext {
  /** Length of the audio, from the file. */
  readonly durationSec: number;
  /** Smallest share of the audio that segments must cover, 0..1; 0: not checked. */
  readonly coverageMin: number;
}

/**
 * The first reason not to believe a transcript, or undefined: no text, one phrase repeated to the end, impossible
 * times, fewer words than half of normal speech (on audio longer than 5 s: a short clip or jingle proves nothing),
 * too little of the audio covered (only when the service gave timed segments). Figures: python-system.md 1.5, 1.7.
 */
export function transcriptFault(transcript: Transcript, context: TranscriptContext): AnswerFaultReason | undefined {
  const text = transcript.segments.map((segment) => segment.text).join(' ');
  const { durationSec, coverageMin } = context;
  if (text.trim() === '') return 'empty_response';
  if (timesFault(transcript.segments, durationSec)) return 'invalid_times';
  if (isLoop(text)) return 'repeated_phrase';
  if (belowLengthFloor(text, durationSec)) return 'length_floor_violated';
  return coveredShare(transcript.segments, durationSec) < coverageMin ? 'audio_coverage_too_low' : undefined;
}

/**
 * The reason not to believe a diarization, or undefined. Nobody speaking is a valid answer for audio of at most 5 s,
 * and for any audio in which the transcript has no words either.
 */
export function diarizationFault(
  diarization: Diarization,
  context: { readonly durationSec: number; readonly transcriptWords?: number },
): AnswerFaultReason | undefined {
  if (timesFault(diarization.turns, context.durationSec)) return 'invalid_times';
  const silent = context.durationSec <= shortestJudgedSec || context.transcriptWords === 0;
  return diarization.turns.length === 0 && !silent ? 'empty_segments' : undefined;
}

/**
 * ADR-131's gate after diarization: transcribed seconds against spoken seconds, both merged. Undefined where it is
 * high enough, where nobody speaks, or where `coverageMin` is 0.
 */
export function speechCoverageFault(
  transcript: Transcript,
  diarization: Diarization,
  coverageMin: number,
): AnswerFaultReason | undefined {
  return speechCoverage(transcript, diarization) < coverageMin ? 'speech_coverage_too_low' : undefined;
}

/** Share of the diarized speech that the transcript covers, 0..1; 1 where nobody speaks. */
export function speechCoverage(transcript: Transcript, diarization: Diarization): number {
  const spokenSec = mergedSec(diarization.turns);
  return spokenSec === 0 ? 1 : Math.min(1, mergedSec(transcript.segments) / spokenSec);
}

/** Share of the audio that segments cover, 0..1; overlaps count once. */
export function coveredShare(spans: readonly Span[], durationSec: number): number {
  return durationSec <= 0 ? 1 : Math.min(1, mergedSec(spans) / durationSec);
}

/** True for times that are no numbers, negative, end before they start, or lie outside of the audio. */
export function timesFault(spans: readonly Span[], durationSec: number): boolean {
  return spans.some(
    ({ startSec, endSec }) =>
      !Number.isFinite(startSec) ||
      !Number.isFinite(endSec) ||
      startSec < 0 ||
      endSec < startSec ||
      startSec > durationSec + timeSlackSec,
  );
}

/** True for fewer words than `int(duration * 2.5 * 0.5)`. */
export function belowLengthFloor(text: string, durationSec: number): boolean {
  if (durationSec <= shortestJudgedSec) return false;
  return spokenWordCount(text) < Math.trunc(durationSec * wordsPerSecond * lengthFloorShare);
}

/**
 * True when a decoder got stuck: the text ends in one phrase said over and over (a last one may be cut off). Small
 * repetitions are human ("no, no, no"), and so is a chorus that is a small part of the whole.
 */
export function isLoop(text: string): boolean {
  const words = wordsOf(text.toLowerCase().replace(/[^\p{L}\p{N}\s']/gu, ' '));
  for (let length = 1; length <= Math.min(loop.phraseWordsMax, words.length / loop.repeatsMin); length++) {
    const looped = loopedWords(words, length);
    const share = looped / words.length;
    const long = looped >= loop.wordsMin && (share >= loop.shareMin || looped >= loop.wordsAlways);
    if (looped >= length * loop.repeatsMin && long) return true;
  }
  return false;
}

/** How many words at the end repeat with this period. */
function loopedWords(words: readonly string[], period: number): number {
  let at = words.length - 1 - period;
  while (at >= 0 && words[at] === words[at + period]) at--;
  return words.length - 1 - at;
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

function mergedSec(spans: readonly Span[]): number {
  const sorted = spans.filter((span) => span.endSec > span.startSec).sort((a, b) => a.startSec - b.startSec);
  let total = 0;
  let coveredTo = Number.NEGATIVE_INFINITY;
  for (const { startSec, endSec } of sorted) {
    total += Math.max(0, endSec - Math.max(startSec, coveredTo));
    coveredTo = Math.max(coveredTo, endSec);
  }
  return total;
}
