/** Why an answer cannot be used; the label of the violation counter, together with the service. */
export type InvalidAnswerReason =
  | 'finish_reason_length'
  | 'finish_reason_content_filter'
  | 'empty_content'
  | 'empty_transcript'
  | 'thinking_prose_detected'
  | 'whitespace_storm'
  | 'error_body'
  | 'prompt_truncated'
  | 'json_parse_failed'
  | 'schema_mismatch';

/**
 * An answer arrived and is no use (ADR-148). It never charges a circuit. Holds no part of the answer: `detail` says
 * what was expected, e.g. the path of the field that is wrong.
 */
export class InvalidAnswerError extends Error {
  override readonly name = 'InvalidAnswerError';
  constructor(
    /** The call, by the name of its JSON schema, e.g. `summary`. */
    readonly service: string,
    readonly reason: InvalidAnswerReason,
    detail?: string,
  ) {
    super(`Invalid answer to ${service}: ${reason}${detail === undefined ? '' : ` (${detail})`}`);
  }
}
