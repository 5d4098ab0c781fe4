import { stringifySync } from 'subtitle';
import type { Segment, Transcript } from '../../src/transcript.js';

/** Captions with speakers: WebVTT voice tags (`<v name>`), or `name: text` in SRT, which has no such tag. */
export function formatCaptions(transcript: Transcript, format: 'WebVTT' | 'SRT'): string {
  const cues = transcript.segments
    .map((segment) => ({ segment, text: oneLine(segment.text) }))
    .filter(({ text }) => text !== '')
    .map(({ segment, text }) => cue(segment, format === 'WebVTT' ? webVttText(segment, text) : srtText(segment, text)));
  const header = { type: 'header', data: 'WEBVTT' } as const;
  return stringifySync(format === 'WebVTT' ? [header, ...cues] : cues, { format });
}

function cue(segment: Segment, text: string): { type: 'cue'; data: { start: number; end: number; text: string } } {
  const start = Math.round(segment.startSec * 1000);
  // A cue must end after it starts, or players refuse the file.
  const end = Math.max(start + 1, Math.round(segment.endSec * 1000));
  return { type: 'cue', data: { start, end, text } };
}

function webVttText(segment: Segment, text: string): string {
  const speaker = segment.speaker === undefined ? '' : `<v ${escapeWebVtt(oneLine(segment.speaker))}>`;
  return speaker + escapeWebVtt(text);
}

/** SRT knows no escapes; an arrow inside of a text would be read as a cue's time line. */
function srtText(segment: Segment, text: string): string {
  const speaker = segment.speaker === undefined ? '' : `${oneLine(segment.speaker)}: `;
  return (speaker + text).replaceAll('-->', '->');
}

function escapeWebVtt(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A blank line would end the cue. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
