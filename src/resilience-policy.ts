import { z } from 'zod';

export const runContextSchema = z.enum(['serve', 'reprocess']);
export type RunContext = z.infer<typeof runContextSchema>;
export const failureStrategySchema = z.enum(['failover', 'hold']);
export type FailureStrategy = z.infer<typeof failureStrategySchema>;

/**
 * How one stage call is retried, held and given up (ADR-122). All times are seconds. Fully resolved: a tier of a plan
 * carries one of these, so the plan that an operator sees in the Web UI is the plan that runs.
 */
export const resiliencePolicySchema = z.strictObject({
  failureStrategy: failureStrategySchema,
  /** Backoff retries of the chosen model after the first try; 0..20. Hold 3; failover 2 (a hard timeout is never retried there). */
  retriesBeforeTrip: z.number().int().min(0).max(20),
  /** Wait before retry 1, 2, ...; the last entry repeats. Each 0..3600. Hold 30, 60, 120. */
  backoffScheduleSec: z.array(z.number().min(0).max(3600)).min(1).max(32),
  /** Ceiling over all tries of one stage call, from the first try's start, without queue time; unset: derived. */
  perEpisodeMaxWaitSec: z
    .number()
    .positive()
    .max(7 * 86_400)
    .optional(),
  /** Wall clock from the outage's first trip until the fuse opens. Default 900. */
  onOpenMaxWaitSec: z
    .number()
    .positive()
    .max(7 * 86_400),
  /** End of one probe to the start of the next; the smallest among those who hold counts. Unset: the endpoint's own. */
  probeIntervalSec: z.number().positive().max(3600).optional(),
  /** Fraction of a wait by which it may be lengthened at random; 0..1, default 0. */
  jitter: z.number().min(0).max(1).optional(),
});
export type ResiliencePolicy = z.infer<typeof resiliencePolicySchema>;
