import { normaliseSpace, transcriptText } from '../../src/grounding.js';
import type { Transcript } from '../../src/transcript.js';

/** Whether a quote equals the transcript at its offsets, white space normalised. */
export function verbatimAt(
  transcript: Transcript,
  quote: { readonly text: string; readonly charStart: number; readonly charEnd: number },
): boolean {
  return normaliseSpace(transcriptText(transcript).slice(quote.charStart, quote.charEnd)) === quote.text;
}
