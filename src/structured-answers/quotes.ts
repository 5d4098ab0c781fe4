import { z } from 'zod';
import { answerShape } from './answer-shape.js';

/** Quotes proposed for numbered insights; they count only where the transcript has them (`locateQuote`). */
export const quotesShape = answerShape(
  'quotes',
  z.object({ quotes: z.array(z.object({ insight: z.number().int().min(0).max(1000), quote: z.string() })) }),
);
export type QuotesAnswer = z.infer<typeof quotesShape.schema>;
