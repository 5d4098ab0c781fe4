import { normaliseSpace } from './grounding.js';
import type { SpeakerName } from './speaker-names.js';
import type { Segment, Transcript } from './transcript.js';

/** A block is one speaker's words until they get longer than this, so that every part of a transcript has a time near it. */
const blockChars = 900;
const smallestChars = 60;

/**
 * The transcript as a model reads it: blocks of `[m:ss] speaker`, then the words on a line of their own, verbatim;
 * cut into chunks of at most `maxChars` characters, between blocks where possible. Room for less than 60 is taken for 60.
 */
export function labelledChunks(transcript: Transcript, names: readonly SpeakerName[], maxChars: number): string[] {
  const chunks: string[] = [];
  for (const block of blocksOf(transcript, Math.min(blockChars, Math.ceil(Math.max(smallestChars, maxChars) / 2)))) {
    const label = names.find((one) => one.speaker === block.speaker)?.name ?? block.speaker ?? '';
    const text = `${`[${clockOf(block.startSec)}] ${label}`.trimEnd()}\n${block.text}`;
    const last = chunks.at(-1);
    if (last !== undefined && last.length + text.length + 2 <= maxChars)
      chunks[chunks.length - 1] = `${last}\n\n${text}`;
    else chunks.push(text);
  }
  return chunks;
}

/** Seconds as `m:ss`, or `h:mm:ss` from one hour on. */
export function clockOf(sec: number): string {
  const whole = Math.max(0, Math.floor(sec));
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`;
}

/** The seconds of `m:ss` or `h:mm:ss`, with or without brackets; undefined when it is neither. */
export function secOfClock(clock: string): number | undefined {
  const [, hours = '0', minutes = '', seconds = ''] =
    /^\[?(?:(\d{1,2}):)?(\d{1,3}):(\d{2})\]?$/.exec(clock.trim()) ?? [];
  return minutes === '' ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

interface Block {
  readonly speaker: string | undefined;
  readonly startSec: number;
  readonly text: string;
}

function blocksOf(transcript: Transcript, maxChars: number): Block[] {
  const blocks: Block[] = [];
  for (const part of transcript.segments.flatMap((segment) => partsOf(segment, maxChars))) {
    const last = blocks.at(-1);
    if (last !== undefined && last.speaker === part.speaker && last.text.length + part.text.length < maxChars) {
      blocks[blocks.length - 1] = { ...last, text: `${last.text} ${part.text}` };
    } else {
      blocks.push(part);
    }
  }
  return blocks;
}

/** A segment, cut at spaces where it is longer than `maxChars`; each part's time by its share of the segment. */
function partsOf({ text, startSec, endSec, speaker }: Segment, maxChars: number): Block[] {
  const parts: Block[] = [];
  const whole = normaliseSpace(text);
  const secPerChar = Math.max(0, endSec - startSec) / whole.length;
  for (let rest = whole; rest !== '';) {
    const space = rest.length <= maxChars ? rest.length : rest.lastIndexOf(' ', maxChars);
    const end = space > 0 ? space : maxChars;
    const before = whole.length - rest.length;
    parts.push({ speaker, startSec: startSec + before * secPerChar, text: rest.slice(0, end) });
    rest = rest.slice(end).trimStart();
  }
  return parts;
}
