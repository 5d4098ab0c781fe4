import { z } from 'zod';
import { answerShape } from './answer-shape.js';

/** From core to filler; the tier that the GI artifact holds is 3, 2, 1, 0. */
export const insightValues = ['core', 'useful', 'minor', 'filler'] as const;
export const tierOfValue = { core: 3, useful: 2, minor: 1, filler: 0 } as const;

/** The value gate: how much each numbered insight is worth. */
export const insightValueGateShape = answerShape(
  'insight_value_gate',
  z.object({
    ratings: z.array(z.object({ insight: z.number().int().min(0).max(1000), value: z.enum(insightValues) })).min(1),
  }),
);
