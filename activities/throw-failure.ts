import { ApplicationFailure } from '@temporalio/common';
import type { FailureDetails, FailureType } from '../src/failure.js';
import { InvalidAnswerError } from '../src/structured-answers/invalid-answer.js';
import { CallFailure } from './providers/call-failure.js';
import { SourceError } from './source/source-error.js';
import { StoreError } from './store/store-error.js';

/** A failure of one of our classes, thrown by our own code. */
export class ClassifiedError extends Error {
  override readonly name = 'ClassifiedError';
  constructor(
    readonly type: FailureType,
    message: string,
    readonly details: FailureDetails = {},
  ) {
    super(message);
  }
}

/** The class of an error, by what it is; undefined for a fault of the code. */
export function classOf(error: unknown): { type: FailureType; details: FailureDetails } | undefined {
  if (error instanceof CallFailure) return { type: error.type, details: error.details };
  if (error instanceof ClassifiedError) return { type: error.type, details: error.details };
  if (error instanceof InvalidAnswerError) return { type: 'InvalidAnswer', details: { code: error.reason } };
  if (error instanceof StoreError) return { type: 'StoreUnavailable', details: { code: error.code } };
  if (error instanceof SourceError) {
    return { type: error.kind === 'content' ? 'ContentRejected' : 'SourceUnavailable', details: { code: error.code } };
  }
  return undefined;
}

/**
 * The one place where an error becomes what crosses Temporal. `retryInMs`: try again after so long; undefined: this
 * ends the activity. A fault of the code is never retried by a ladder meant for endpoints.
 */
export function toApplicationFailure(error: unknown, retryInMs?: number): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  const message = error instanceof Error ? error.message : String(error);
  const known = classOf(error);
  if (known === undefined) {
    const cause = error instanceof Error ? { cause: error } : {};
    return ApplicationFailure.create({ message, type: 'InternalError', nonRetryable: true, ...cause });
  }
  const retry = retryInMs === undefined ? { nonRetryable: true } : { nextRetryDelay: Math.max(1, retryInMs) };
  return ApplicationFailure.create({ message, type: known.type, details: [known.details], ...retry });
}

/**
 * For activities without a ladder: classified, and left to the activity's own retry policy where what failed may pass
 * by itself. Cancellation is passed on as it is.
 */
export async function classified<T>(work: () => Promise<T>, cancellation: AbortSignal): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (cancellation.aborted) throw error;
    const known = classOf(error);
    if (known?.type !== 'SourceUnavailable') throw toApplicationFailure(error);
    const { message } = error as Error;
    throw ApplicationFailure.create({ message, type: known.type, details: [known.details] });
  }
}
