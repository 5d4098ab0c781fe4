import { z } from 'zod';
import type { LocatedQuote } from './grounding.js';
import type { SpeakerName } from './speaker-names.js';

export const entityKinds = ['person', 'organization', 'other'] as const;

/** `summary.json` of an episode. Offsets count in `transcriptText` (`grounding.ts`); times are seconds. */
export const summaryArtifactSchema = z.strictObject({
  schemaVersion: z.literal('1.0'),
  /** `extractive`: these are the speakers' own sentences, chosen by rank. */
  method: z.enum(['model', 'extractive']),
  episodeId: z.string().min(1),
  title: z.string().min(1),
  bullets: z.array(z.string().min(1)).min(1),
  /** Verbatim: each equals the transcript at its offsets, white space normalised. */
  keyQuotes: z.array(
    z.strictObject({
      text: z.string().min(1),
      charStart: z.number().int().min(0),
      charEnd: z.number().int().min(0),
      startSec: z.number().min(0),
      endSec: z.number().min(0),
      speaker: z.string().optional(),
    }),
  ),
  entities: z.array(z.strictObject({ name: z.string().min(1), kind: z.enum(entityKinds) })),
  timestamps: z.array(z.strictObject({ atSec: z.number().min(0), label: z.string().min(1) })),
  /** The model as it reports itself. */
  model: z.string().min(1),
  promptVersion: z.string().optional(),
});
export type SummaryArtifact = z.infer<typeof summaryArtifactSchema>;

/** A located quote as the summary holds it, with the speaker's name where it is known. */
export function keyQuoteOf(quote: LocatedQuote, names: readonly SpeakerName[]): SummaryArtifact['keyQuotes'][number] {
  const { text, charStart, charEnd, startSec, endSec } = quote;
  const speaker = names.find((one) => one.speaker === quote.speaker)?.name ?? quote.speaker;
  return { text, charStart, charEnd, startSec, endSec, ...(speaker === undefined ? {} : { speaker }) };
}
