import type { Segment, Transcript, Word } from '../../src/transcript.js';

/** A stretch of audio, in seconds of the whole. */
export interface AudioWindow {
  readonly startSec: number;
  readonly endSec: number;
}

export const overlapSec = 5;
/** Five seconds at a normal rate of speech. */
const overlapWordsMax = 12;
/** Decoders disagree by this much about where a word ends. */
const toleranceSec = 0.5;
/** Chunks are made this much shorter than the limit, as bitrates are not exact. */
const safety = 0.95;
const reserveBytes = 1024 * 1024;
const windowsMax = 500;

interface Limits {
  readonly maxBytes?: number | undefined;
  readonly maxDurationSec?: number | undefined;
}

/**
 * The windows in which audio has to be sent: one, if it fits; else windows of the same length that overlap by 5 s.
 * Undefined when even 500 of them would not do.
 */
export function chunkWindows(
  audio: { readonly bytes: number; readonly durationSec: number },
  { maxBytes, maxDurationSec }: Limits,
): readonly AudioWindow[] | undefined {
  const { bytes, durationSec } = audio;
  const usableBytes = maxBytes === undefined ? Infinity : maxBytes - Math.min(reserveBytes, maxBytes / 10);
  if (bytes <= usableBytes && durationSec <= (maxDurationSec ?? Infinity))
    return [{ startSec: 0, endSec: durationSec }];
  const byBytesSec = (usableBytes / bytes) * durationSec;
  const lengthSec = Math.min(byBytesSec, maxDurationSec ?? Infinity) * safety;
  const stepSec = lengthSec - overlapSec;
  if (stepSec <= 0 || durationSec / stepSec > windowsMax) return undefined;
  const windows: AudioWindow[] = [];
  for (let startSec = 0; startSec === 0 || startSec + overlapSec < durationSec; startSec += stepSec) {
    windows.push({ startSec, endSec: Math.min(durationSec, startSec + lengthSec) });
  }
  return windows;
}

export interface TranscribedWindow {
  readonly window: AudioWindow;
  /** Times from the window's own start. */
  readonly transcript: Transcript;
}

/**
 * One transcript of several overlapping ones. What a later window repeats of an earlier one is left out: by the times of
 * words where there are any, else by comparing up to 12 words at the seam.
 */
export function mergeChunks(chunks: readonly TranscribedWindow[], durationSec: number): Transcript {
  const merged: Segment[] = [];
  for (const { window, transcript } of chunks) {
    for (const segment of transcript.segments) {
      const next = withoutRepetition(merged, shifted(segment, window.startSec));
      if (next) merged.push(next);
    }
  }
  const language = chunks.find((chunk) => chunk.transcript.language !== undefined)?.transcript.language;
  return { ...(language !== undefined && { language }), durationSec, segments: merged };
}

function shifted(segment: Segment, bySec: number): Segment {
  const move = <T extends AudioWindow>(span: T): T => ({
    ...span,
    startSec: span.startSec + bySec,
    endSec: span.endSec + bySec,
  });
  return { ...move(segment), ...(segment.words && { words: segment.words.map(move) }) };
}

/** The part of a segment that has not been said yet; undefined when all of it has. */
function withoutRepetition(merged: readonly Segment[], segment: Segment): Segment | undefined {
  const saidToSec = merged.at(-1)?.endSec ?? 0;
  if (merged.length === 0 || segment.startSec >= saidToSec - toleranceSec / 5)
    return dropRepeatedWords(merged, segment);
  if (segment.endSec <= saidToSec + toleranceSec) return undefined;
  if (segment.words) return afterSec(segment, segment.words, saidToSec);
  return dropRepeatedWords(merged, segment, (saidToSec - segment.startSec) / (segment.endSec - segment.startSec));
}

function afterSec(segment: Segment, words: readonly Word[], sec: number): Segment | undefined {
  const left = words.filter((word) => (word.startSec + word.endSec) / 2 > sec);
  const [first] = left;
  if (!first) return undefined;
  return { ...segment, startSec: first.startSec, text: left.map((word) => word.text).join(' '), words: left };
}

/** `overlap`: the share of the segment that lies before the seam, for when its words do not match those before. */
function dropRepeatedWords(merged: readonly Segment[], segment: Segment, overlap = 0): Segment | undefined {
  if (overlap === 0) return segment;
  const words = segment.text.split(/\s+/);
  const before = merged.slice(-8).flatMap(({ text }) => text.split(/\s+/));
  const matched = matchingWords(before, words);
  const dropped = matched > 0 ? matched : Math.round(words.length * overlap);
  if (dropped >= words.length) return undefined;
  const startSec = merged.at(-1)?.endSec ?? segment.startSec;
  return { ...segment, startSec: Math.min(startSec, segment.endSec), text: words.slice(dropped).join(' ') };
}

function matchingWords(before: readonly string[], after: readonly string[]): number {
  for (let count = Math.min(overlapWordsMax, before.length, after.length); count > 0; count--) {
    const tail = before.slice(-count);
    if (tail.every((word, index) => plain(word) === plain(after[index] ?? ''))) return count;
  }
  return 0;
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
