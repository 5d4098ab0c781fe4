import { z } from 'zod';
import { answerShape } from './answer-shape.js';

/** Whether each numbered quote supports its insight. */
export const entailmentShape = answerShape(
  'entailment',
  z.object({ verdicts: z.array(z.object({ pair: z.number().int().min(0).max(1000), supported: z.boolean() })).min(1) }),
);
