import { z } from 'zod';
import { answerShape } from './answer-shape.js';

/** Names proposed for voices, each with the words that support it. */
export const speakerNamesShape = answerShape(
  'speaker_names',
  z.object({
    speakers: z.array(
      z.object({ speaker: z.string(), name: z.string(), role: z.enum(['host', 'guest']), evidence: z.string() }),
    ),
  }),
);
export type SpeakerNamesAnswer = z.infer<typeof speakerNamesShape.schema>;
