import { z } from 'zod';

const secondsSchema = z.number().min(0);

export const wordSchema = z.strictObject({ startSec: secondsSchema, endSec: secondsSchema, text: z.string() });
export type Word = z.infer<typeof wordSchema>;

/** A stretch of speech; `speaker` is there once diarization has been joined to it. */
export const segmentSchema = z.strictObject({
  startSec: secondsSchema,
  endSec: secondsSchema,
  text: z.string(),
  speaker: z.string().optional(),
  words: z.array(wordSchema).optional(),
});
export type Segment = z.infer<typeof segmentSchema>;

/** Our own form of a transcript, between stages. The published form is Podcasting 2.0 JSON (`transcript-formats.ts`). */
export const transcriptSchema = z.strictObject({
  language: z.string().optional(),
  durationSec: secondsSchema,
  segments: z.array(segmentSchema),
});
export type Transcript = z.infer<typeof transcriptSchema>;

/** Who spoke when; speakers are `SPEAKER_00`, `SPEAKER_01`, ... in order of first turn. */
export const turnSchema = z.strictObject({ startSec: secondsSchema, endSec: secondsSchema, speaker: z.string() });
export type Turn = z.infer<typeof turnSchema>;
export const diarizationSchema = z.strictObject({ turns: z.array(turnSchema) });
export type Diarization = z.infer<typeof diarizationSchema>;
