import { stringifySync, type NodeCue } from 'subtitle';
import type { Segment, Transcript } from '../../src/transcript.js';

/** WebVTT with a voice tag (`<v name>`) for every speaker. */
export function formatWebVtt(transcript: Transcript): string {
  const cues = transcript.segments.flatMap((segment) => cue(segment, webVttText(segment)));
  return stringifySync([{ type: 'header', data: 'WEBVTT' }, ...cues], { format: 'WebVTT' });
}

/** SRT with `name: ` in front of every cue, because it has no tag for speakers. */
export function formatSrt(transcript: Transcript): string {
  return stringifySync(
    transcript.segments.flatMap((segment) => cue(segment, srtText(segment))),
    { format: 'SRT' },
  );
}

/** None for a segment without words. */
function cue(segment: Segment, text: string): NodeCue[] {
  if (segment.text.trim() === '') return [];
  const start = Math.round(segment.startSec * 1000);
  // A cue must end after it starts, or players refuse the file.
  const end = Math.max(start + 1, Math.round(segment.endSec * 1000));
  return [{ type: 'cue', data: { start, end, text } }];
}

function webVttText({ speaker, text }: Segment): string {
  return (speaker === undefined ? '' : `<v ${escapeWebVtt(speaker)}>`) + escapeWebVtt(text);
}

/** SRT knows no escapes; an arrow inside of a text would be read as a cue's time line. */
function srtText({ speaker, text }: Segment): string {
  return oneLine(speaker === undefined ? text : `${speaker}: ${text.trimStart()}`).replaceAll('-->', '->');
}

function escapeWebVtt(text: string): string {
  return oneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A blank line would end the cue. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
