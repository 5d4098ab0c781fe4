import { errorDetails, field, type ResponseHeaders } from './retry-after.js';

/** True when a body says that it is an error: OpenAI, vLLM, Gemini and Ollama name it `error`, Deepgram `err_code`. */
export function hasErrorBody(body: unknown): boolean {
  const error = field(body, 'error');
  return (error !== undefined && error !== null) || field(body, 'err_code') !== undefined;
}

/**
 * The vendor's own word for an error: a Google `ErrorInfo` reason, OpenAI's `error.code`, Gemini's `error.status`,
 * `error.type`, Deepgram's `err_code` or `category`. vLLM's integer `error.code` only repeats the status: its type counts.
 */
export function errorCode(body: unknown): string | undefined {
  const error = field(body, 'error');
  const reasons = errorDetails(body).map((detail) => detail['reason']);
  const candidates = [
    ...reasons,
    field(error, 'code'),
    field(error, 'status'),
    field(error, 'type'),
    field(body, 'err_code'),
    field(body, 'category'),
  ];
  return candidates.find((code): code is string => typeof code === 'string' && /^[\w .:-]{1,64}$/.test(code));
}

/** Codes that mean: nobody works for this account until a person has acted. */
const accountCodes: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_not_active',
  'billing_error',
  'account_deactivated',
  'access_terminated',
  'invalid_api_key',
  'authentication_error',
  'permission_error',
  'API_KEY_INVALID',
  'API_KEY_SERVICE_BLOCKED',
  'BILLING_DISABLED',
  'INVALID_AUTH',
  'INSUFFICIENT_PERMISSIONS',
  'ASR_PAYMENT_REQUIRED',
  'PAYMENT_REQUIRED',
  'FAILED_PRECONDITION',
  'PERMISSION_DENIED',
  'UNAUTHENTICATED',
]);

/**
 * True when the body's structured fields say that key, money or permission are gone, whatever the status. A quota per
 * day counts: its RetryInfo promises seconds and lies.
 */
export function accountIsDead(body: unknown): boolean {
  const error = field(body, 'error');
  const codes = [
    ...errorDetails(body).map((detail) => detail['reason']),
    field(error, 'code'),
    field(error, 'status'),
    field(error, 'type'),
    field(body, 'err_code'),
    field(body, 'category'),
  ];
  return codes.some((code) => typeof code === 'string' && accountCodes.has(code)) || dailyQuotaUsedUp(body);
}

/** Google's quota ids are identifiers made of words, e.g. `GenerateRequestsPerDayPerProjectPerModel-FreeTier`. */
function dailyQuotaUsedUp(body: unknown): boolean {
  return errorDetails(body).some((detail) => {
    const violations = detail['violations'];
    const ids = Array.isArray(violations) ? violations.map((violation) => field(violation, 'quotaId')) : [];
    return ids.some(
      (id) =>
        typeof id === 'string' &&
        id
          .split(/(?=[A-Z])|[-_]/)
          .join(' ')
          .includes('Per Day'),
    );
  });
}

const statusOfCode: Readonly<Record<string, number>> = {
  model_not_found: 404,
  NOT_FOUND: 404,
  NotFoundError: 404,
  not_found_error: 404,
  rate_limit_exceeded: 429,
  RESOURCE_EXHAUSTED: 429,
  context_length_exceeded: 400,
  INVALID_ARGUMENT: 400,
  BadRequestError: 400,
  NotImplementedError: 501,
};

/** The HTTP status that an error body stands for, when it came with a success. */
export function codeStatus(body: unknown): number | undefined {
  const code = field(field(body, 'error'), 'code');
  const numeric = typeof code === 'string' && /^[45]\d\d$/.test(code) ? Number(code) : code;
  if (typeof numeric === 'number' && numeric >= 400 && numeric < 600) return numeric;
  const word = errorCode(body);
  return word === undefined ? undefined : statusOfCode[word];
}

/** FastAPI's list form of `detail`: a field of our request is wrong. Its string form speaks of the input. */
export function isFieldValidation(body: unknown): boolean {
  return Array.isArray(field(body, 'detail'));
}

const requestIdHeaders = ['x-request-id', 'request-id', 'dg-request-id', 'x-amzn-requestid', 'cf-ray'];

/** The id under which the vendor's support finds this call. */
export function requestIdOf(headers: ResponseHeaders, body: unknown): string | undefined {
  const inHeader = requestIdHeaders.map((name) => headers[name]).find((id) => id !== undefined);
  const inBody = [field(body, 'request_id'), field(field(body, 'metadata'), 'request_id'), field(body, 'responseId')];
  return inHeader ?? inBody.find((id): id is string => typeof id === 'string');
}
