import { InvalidAnswerError, type InvalidAnswerReason } from './structured-answers/invalid-answer.js';

export interface RerollOptions {
  /** The call, by the name of its JSON schema; the label under which violations are counted. */
  readonly service: string;
  /** How often an invalid answer is asked for again; default 1 (ADR-148). */
  readonly maxReroll?: number;
  /** Told of every invalid answer, the last one included, and whether it is asked for again. */
  readonly onViolation?: (service: string, reason: InvalidAnswerReason, isAskedAgain: boolean) => void;
}

/**
 * One in-place re-roll for invalid structured answers (ADR-148): call, validate; whatever `validate` throws makes the
 * answer invalid, and the very same call is made once more. Throws `InvalidAnswerError` when no answer was valid.
 * What `makeCall` itself throws (endpoint failures, budget, cancellation) passes through untouched: those are not content.
 */
export async function structuredCallWithReroll<Answer, Value>(
  makeCall: () => Promise<Answer>,
  validate: (answer: Answer) => Value,
  options: RerollOptions,
): Promise<Value> {
  const { service, maxReroll = 1, onViolation } = options;
  for (let rerolls = 0; ; rerolls += 1) {
    const answer = await makeCall();
    try {
      return validate(answer);
    } catch (error) {
      const invalid = asInvalidAnswer(error, service);
      const isAskedAgain = rerolls < maxReroll;
      onViolation?.(service, invalid.reason, isAskedAgain);
      if (!isAskedAgain) throw invalid;
    }
  }
}

function asInvalidAnswer(error: unknown, service: string): InvalidAnswerError {
  if (error instanceof InvalidAnswerError) return error;
  // Its message may quote the answer, so only its kind is kept.
  return new InvalidAnswerError(service, 'schema_mismatch', error instanceof Error ? error.name : undefined);
}
