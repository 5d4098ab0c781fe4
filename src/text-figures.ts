import { z } from 'zod';
import type { Tier } from './run-plan.js';

const textFiguresSchema = z
  .object({
    /** Most insights of an episode; absent: by its length (`insightCap`). */
    maxInsights: z.number().int().positive(),
    /** Characters of transcript in one extraction, where the context allows it; default 30,000. */
    chunkChars: z.number().int().positive(),
    /** Two insights at least this alike, 0..1, say the same; default 0.72. */
    dedupeThreshold: z.number().gt(0).max(1),
    /** Smallest value that passes the gate: 0 filler, 1 minor, 2 useful, 3 core; default 2. */
    valueGateMinTier: z.number().int().min(0).max(3),
    /** Most topics of a graph; default 10. */
    maxTopics: z.number().int().positive(),
    /** Most people and organisations of a graph; default 15. */
    maxEntities: z.number().int().positive(),
  })
  .partial();
/** The measured figures of the methods of GI and KG (registry options `gi_method`, `kg_method`). */
export type TextFigures = z.infer<typeof textFiguresSchema>;

/** The figures in a tier's settings; settings that are none of these are left out. Throws `ZodError` for an impossible one. */
export function textFiguresOf(settings: Tier['settings']): TextFigures {
  return textFiguresSchema.parse(settings ?? {});
}
