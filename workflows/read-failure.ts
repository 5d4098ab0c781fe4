import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import { failureDetailsSchema, failureTypeSchema } from '../src/failure.js';
import type { StageFailure } from '../src/stage-failure.js';

/**
 * What an activity's end means. Our own failures by their type; a time-out by Temporal itself as a lost worker;
 * undefined for what is none of ours (a fault of the code): it is passed on as it is.
 */
export function readFailure(error: unknown): StageFailure | undefined {
  if (!(error instanceof ActivityFailure)) return undefined;
  const { cause } = error;
  if (cause instanceof TimeoutFailure) {
    return { endedAs: 'WorkerLost', message: `lost its worker (${cause.timeoutType})`, details: {} };
  }
  if (!(cause instanceof ApplicationFailure)) return undefined;
  const type = failureTypeSchema.safeParse(cause.type);
  if (!type.success) return undefined;
  const details = failureDetailsSchema.safeParse(cause.details?.[0] ?? {});
  return { endedAs: type.data, message: cause.message, details: details.success ? details.data : {} };
}
