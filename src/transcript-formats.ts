import { z } from 'zod';
import type { Segment, Transcript, Turn } from './transcript.js';

/** Podcasting 2.0 "JSON transcript", version 1.0.0: the published `transcript.json`. Times are seconds. */
export const podcastTranscriptSchema = z.strictObject({
  version: z.literal('1.0.0'),
  segments: z.array(
    z.strictObject({
      speaker: z.string().optional(),
      startTime: z.number().min(0),
      endTime: z.number().min(0),
      body: z.string(),
    }),
  ),
});
export type PodcastTranscript = z.infer<typeof podcastTranscriptSchema>;

/** Writes the published form. Word times have no place in it. */
export function formatPodcastTranscript(transcript: Transcript): string {
  const document: PodcastTranscript = {
    version: '1.0.0',
    segments: transcript.segments.map((segment) => ({
      ...(segment.speaker === undefined ? {} : { speaker: segment.speaker }),
      startTime: roundToMs(segment.startSec),
      endTime: roundToMs(segment.endSec),
      body: segment.text,
    })),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** Reads the published form back. Throws `SyntaxError` or `ZodError` when it is not one. */
export function parsePodcastTranscript(text: string): Transcript {
  const document = podcastTranscriptSchema.parse(JSON.parse(text));
  const segments = document.segments.map((segment): Segment => ({
    startSec: segment.startTime,
    endSec: segment.endTime,
    text: segment.body,
    ...(segment.speaker === undefined ? {} : { speaker: segment.speaker }),
  }));
  return { durationSec: segments.reduce((end, segment) => Math.max(end, segment.endSec), 0), segments };
}

/** RTTM, one line a turn; `fileId` loses its white space, because fields are separated by it. */
export function formatRttm(fileId: string, turns: readonly Turn[]): string {
  const file = fileId.trim().replace(/\s+/g, '_') || 'audio';
  return turns
    .map((turn) => {
      const start = turn.startSec.toFixed(3);
      const length = (turn.endSec - turn.startSec).toFixed(3);
      return `SPEAKER ${file} 1 ${start} ${length} <NA> <NA> ${turn.speaker} <NA> <NA>\n`;
    })
    .join('');
}

/** Reads RTTM. Lines of other types are passed over. Throws an `Error` naming the line that is malformed. */
export function parseRttm(text: string): Turn[] {
  const turns: Turn[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const fields = line.trim().split(/\s+/);
    if (fields[0] !== 'SPEAKER') continue;
    const startSec = Number(fields[3]);
    const lengthSec = Number(fields[4]);
    const speaker = fields[7];
    if (!(startSec >= 0) || !(lengthSec >= 0) || speaker === undefined) {
      throw new Error(`RTTM line ${index + 1}: expected "SPEAKER file channel start duration <NA> <NA> name ..."`);
    }
    turns.push({ startSec, endSec: startSec + lengthSec, speaker });
  }
  return turns;
}

function roundToMs(sec: number): number {
  return Math.round(sec * 1000) / 1000;
}
