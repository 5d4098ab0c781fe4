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

/** What failed for want of space is said with what makes up for it: a batch that has failed is run again, not resumed. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof StoreError) || !error.isOutOfSpace) return error.message;
  return `${error.message} Free some space; where the batch has failed, run it again under its id.`;
}

/**
 * The one place where an error becomes what crosses Temporal. `retryInMs`: try again after so long; undefined: this
 * ends the activity. A fault of the code is never retried by a ladder meant for endpoints.
 */
export function toApplicationFailure(error: unknown, retryInMs?: number): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error;
  const message = messageOf(error);
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
    throw classOf(error)?.type === 'SourceUnavailable' ? toRetryableFailure(error) : toApplicationFailure(error);
  }
}

/** For the set-up of a batch: a corpus directory that cannot be used is bad input; a full one is tried again. */
export async function settingUp<T>(corpusDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (!error.isUnusablePlace) throw toRetryableFailure(error);
    const message = `The corpus directory ${corpusDir} cannot be used: ${error.message}`;
    throw toApplicationFailure(new ClassifiedError('InvalidInput', message, { code: error.code }));
  }
}

/** Left to the activity's own retry policy. */
function toRetryableFailure(error: unknown): ApplicationFailure {
  const known = classOf(error);
  const details = known === undefined ? {} : { type: known.type, details: [known.details] };
  return ApplicationFailure.create({ message: messageOf(error), ...details });
}
