import { z } from 'zod';

/**
 * Strings that cross Temporal as `ApplicationFailure.type`. Renaming one breaks open runs and their retry policies.
 * What each means and what follows from it: `design.md` section 4 and `failureConsequences` in `failure-consequences.ts`.
 */
export const failureTypes = [
  'EndpointUnavailable',
  'RateLimited',
  'ContentRejected',
  'InvalidAnswer',
  'AccountTerminal',
  'Misconfigured',
  'CallBudgetExhausted',
  'CircuitOpen',
  'PermitLost',
  'ResilienceFuseOpen',
  'InvalidInput',
  'BatchAborted',
  'BatchFailed',
  'StoreUnavailable',
  'SourceUnavailable',
  'TierUnusable',
] as const;
export const failureTypeSchema = z.enum(failureTypes);
export type FailureType = z.infer<typeof failureTypeSchema>;

/** The classes that a call to an endpoint can end in (`src/classify.ts` decides which). */
export const callFailureTypes = [
  'EndpointUnavailable',
  'RateLimited',
  'ContentRejected',
  'InvalidAnswer',
  'AccountTerminal',
  'Misconfigured',
] as const satisfies readonly FailureType[];
export type CallFailureType = (typeof callFailureTypes)[number];

/**
 * The `details[0]` of an `ApplicationFailure` that a call ended in: facts an operator needs, never a prompt, a
 * transcript, a body or a secret.
 */
export const failureDetailsSchema = z.object({
  endpointId: z.string().optional(),
  optionId: z.string().optional(),
  status: z.number().optional(),
  /** The provider's or the socket's own code, e.g. `insufficient_quota`, `ECONNREFUSED`. */
  code: z.string().optional(),
  requestId: z.string().optional(),
  /** True when our own deadline ended the call (design.md section 3: trips at once under failover). */
  hardTimeout: z.boolean().optional(),
  /** What was sent before may still be computed at the service. */
  mayStillCompute: z.boolean().optional(),
  retryAfterMs: z.number().optional(),
  modelExpected: z.string().optional(),
  modelReported: z.string().optional(),
  /** Calls really sent in this ladder, by the activity's own count. */
  calls: z.number().optional(),
});
export type FailureDetails = z.infer<typeof failureDetailsSchema>;
