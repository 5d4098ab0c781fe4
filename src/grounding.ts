import type { Segment, Transcript } from './transcript.js';
import { foldText, indexOfWords, type FoldedText } from './words.js';

/** A stretch of `transcriptText`, with what is known about it. */
export interface LocatedQuote {
  /** The transcript's own words, white space normalised. */
  readonly text: string;
  /** UTF-16 code units into `transcriptText(transcript)`; the end is exclusive. */
  readonly charStart: number;
  readonly charEnd: number;
  /** Interpolated inside the segments that the quote touches. */
  readonly startSec: number;
  readonly endSec: number;
  /** Whoever says most of it; undefined without diarization. */
  readonly speaker: string | undefined;
}

/** Consecutive segments of one speaker, as one piece. */
export interface Utterance {
  readonly speaker: string | undefined;
  readonly text: string;
  readonly charStart: number;
  readonly charEnd: number;
  readonly startSec: number;
  readonly endSec: number;
}

interface SegmentSpan {
  readonly segment: Segment;
  readonly charStart: number;
  readonly charEnd: number;
}

/**
 * The text in which `char_start` and `char_end` of a quote count: every segment's text with its white space collapsed
 * to single spaces and trimmed, empty segments left out, joined by one line feed; speakers are not part of it. Offsets
 * are UTF-16 code units. The published `transcript.json` gives the very same text.
 */
export function transcriptText(transcript: Transcript): string {
  return transcript.segments
    .map((segment) => normaliseSpace(segment.text))
    .filter((text) => text !== '')
    .join('\n');
}

/** White space collapsed to single spaces, and trimmed. */
export function normaliseSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** What each speaker says in one go, in order; its text is the slice of `transcriptText` at its offsets, on one line. */
export function utterancesOf(transcript: Transcript): Utterance[] {
  const utterances: Utterance[] = [];
  for (const { segment, charStart, charEnd } of segmentSpans(transcript)) {
    const text = normaliseSpace(segment.text);
    const last = utterances.at(-1);
    if (last !== undefined && last.speaker === segment.speaker) {
      const endSec = Math.max(last.endSec, segment.endSec);
      utterances[utterances.length - 1] = { ...last, text: `${last.text} ${text}`, charEnd, endSec };
    } else {
      const { startSec, endSec, speaker } = segment;
      utterances.push({ speaker, text, charStart, charEnd, startSec, endSec });
    }
  }
  return utterances;
}

/**
 * Finds a quote in the transcript: as it is, or else by its words, whatever their case, Unicode form and punctuation.
 * What comes back is the transcript's own wording, so it equals the transcript at its offsets. Undefined when nobody
 * said just that: no word may be missing (an ellipsis that stands for some finds nothing), and only whole words count.
 */
export function locateQuote(transcript: Transcript, quote: string): LocatedQuote | undefined {
  const wanted = normaliseSpace(quote.replace(/^[\s"'“”‘’…]+|[\s"'“”‘’…]+$/g, ''));
  if (wanted === '') return undefined;
  const { line, folded } = searchable(transcript);
  const exact = indexOfWords(line, wanted);
  if (exact >= 0) return quoteAt(transcript, exact, exact + wanted.length);
  const words = foldText(wanted).text;
  const at = words === '' ? -1 : indexOfWords(folded.text, words);
  const charStart = folded.starts[at];
  const charEnd = folded.ends[at + words.length - 1];
  if (charStart === undefined || charEnd === undefined) return undefined;
  const hasStop = /[.?!]$/.test(wanted) && /[.?!]/.test(line.charAt(charEnd));
  return quoteAt(transcript, charStart, hasStop ? charEnd + 1 : charEnd);
}

interface Searchable {
  /** `transcriptText` with spaces for its line feeds. */
  readonly line: string;
  readonly folded: FoldedText;
}

const searchables = new WeakMap<Transcript, Searchable>();

/** Made once for a transcript, in which many quotes are looked for. */
function searchable(transcript: Transcript): Searchable {
  const known = searchables.get(transcript);
  if (known !== undefined) return known;
  const line = onOneLine(transcriptText(transcript));
  const made = { line, folded: foldText(line) };
  searchables.set(transcript, made);
  return made;
}

/** The quote at the given offsets of `transcriptText`; 0 <= charStart < charEnd <= its length. */
export function quoteAt(transcript: Transcript, charStart: number, charEnd: number): LocatedQuote {
  const touched = segmentSpans(transcript).filter((span) => span.charStart < charEnd && charStart < span.charEnd);
  const first = touched[0];
  const last = touched.at(-1);
  const startSec = first === undefined ? 0 : secAt(first, charStart);
  return {
    text: onOneLine(transcriptText(transcript)).slice(charStart, charEnd),
    charStart,
    charEnd,
    startSec,
    endSec: Math.max(startSec, last === undefined ? 0 : secAt(last, charEnd)),
    speaker: speakerOfMost(touched, charStart, charEnd),
  };
}

function segmentSpans(transcript: Transcript): SegmentSpan[] {
  const spans: SegmentSpan[] = [];
  let cursor = 0;
  for (const segment of transcript.segments) {
    const { length } = normaliseSpace(segment.text);
    if (length === 0) continue;
    spans.push({ segment, charStart: cursor, charEnd: cursor + length });
    cursor += length + 1;
  }
  return spans;
}

function onOneLine(text: string): string {
  return text.replaceAll('\n', ' ');
}

function secAt(span: SegmentSpan, char: number): number {
  const share = Math.min(Math.max((char - span.charStart) / (span.charEnd - span.charStart), 0), 1);
  return span.segment.startSec + share * Math.max(0, span.segment.endSec - span.segment.startSec);
}

function speakerOfMost(spans: readonly SegmentSpan[], charStart: number, charEnd: number): string | undefined {
  const chars = new Map<string | undefined, number>();
  for (const span of spans) {
    const shared = Math.min(span.charEnd, charEnd) - Math.max(span.charStart, charStart);
    chars.set(span.segment.speaker, (chars.get(span.segment.speaker) ?? 0) + shared);
  }
  return [...chars].sort(([, a], [, b]) => b - a)[0]?.[0];
}
