import type { WireShape } from './endpoint.js';
import type { CallFailureType } from './failure.js';
import { accountIsDead, codeStatus, errorCode, hasErrorBody, isFieldValidation, requestIdOf } from './error-body.js';
import { retryAfterMs, type ResponseHeaders } from './retry-after.js';

/** What came back over HTTP, as far as it came. */
export interface ReceivedResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ResponseHeaders;
  /** The body parsed as JSON; undefined when it is none, or was cut. */
  readonly body?: unknown;
}

/** All that is known of a call that did not end in a usable answer. */
export interface CallOutcome {
  readonly wire: WireShape;
  /** Temporal asked us to stop. */
  readonly cancelled: boolean;
  /** Our own absolute deadline ended the call, whichever part it was in. */
  readonly deadlinePassed: boolean;
  /** The socket's or HTTP client's code, e.g. `ECONNREFUSED`, `UND_ERR_SOCKET`. */
  readonly transportCode?: string;
  /** Absent when the call ended before the status line. */
  readonly response?: ReceivedResponse;
  /** Why a complete answer cannot be used, e.g. `schema`, `blocked:SAFETY`; see `AnswerFault`. */
  readonly answerFault?: AnswerFault;
  readonly nowMs: number;
}

/** A complete answer whose content is wrong: invalid, or refused for the input's sake. */
export interface AnswerFault {
  readonly reason: string;
  /** True: the service declined this input (safety block). */
  readonly refused?: boolean;
}

export interface Classification {
  readonly type: CallFailureType;
  /** Our own deadline: trips at once under failover. */
  readonly hardTimeout: boolean;
  readonly retryAfterMs?: number;
  /** The vendor's or the socket's own code. */
  readonly code?: string;
  readonly status?: number;
  readonly requestId?: string;
  /** What happened, in words that hold nothing of prompt, transcript or body. */
  readonly summary: string;
}

/**
 * The one place that decides what became of a call (design.md section 4), by status, code and parsed body, never by
 * searching text. Order: cancellation, own deadline, a complete answer that is wrong, then the response, then the
 * transport. A status outweighs a transport code: a 413 seen before the connection broke is a 413.
 */
export function classify(outcome: CallOutcome): Classification | 'cancelled' {
  if (outcome.cancelled) return 'cancelled';
  const received = outcome.response && receivedFacts(outcome, outcome.response);
  if (outcome.deadlinePassed) {
    return {
      ...received,
      type: 'EndpointUnavailable',
      hardTimeout: true,
      summary: 'no complete answer by its deadline',
    };
  }
  if (outcome.response && received) return classifyResponse(outcome, outcome.response, received);
  return classifyTransport(outcome.transportCode);
}

type ReceivedFacts = Pick<Classification, 'code' | 'status' | 'requestId' | 'retryAfterMs'>;

function receivedFacts(outcome: CallOutcome, response: ReceivedResponse): ReceivedFacts {
  const code = errorCode(response.body);
  const requestId = requestIdOf(response.headers, response.body);
  const waitMs = retryAfterMs({ ...response, nowMs: outcome.nowMs, rateLimited: response.status === 429 });
  return {
    status: response.status,
    ...(code !== undefined && { code }),
    ...(requestId !== undefined && { requestId }),
    ...(waitMs !== undefined && { retryAfterMs: waitMs }),
  };
}

function classifyResponse(outcome: CallOutcome, response: ReceivedResponse, facts: ReceivedFacts): Classification {
  const base = { ...facts, hardTimeout: false };
  const { body, status } = response;
  const fault = outcome.answerFault;
  if (status >= 200 && status < 300 && fault) {
    const type = fault.refused === true ? 'ContentRejected' : 'InvalidAnswer';
    const what = fault.refused === true ? 'declined this input' : 'gave an answer that is not usable';
    return { ...base, type, code: facts.code ?? fault.reason, summary: `${what}: ${fault.reason}` };
  }
  const code = facts.code === undefined ? '' : ` (${facts.code})`;
  if (status >= 200 && status < 300 && !hasErrorBody(body)) {
    const cut = outcome.transportCode === undefined ? '' : `, cut (${outcome.transportCode})`;
    const type = 'EndpointUnavailable';
    return { ...base, ...transportFact(outcome), type, summary: `HTTP ${status} without a JSON answer${cut}` };
  }
  // A success that carries an error is judged by the error's own code; without one, the service is at fault.
  const effective = status >= 200 && status < 300 ? (codeStatus(body) ?? 500) : status;
  const type = accountIsDead(body) ? 'AccountTerminal' : statusType(outcome.wire, effective, body);
  return { ...base, type, summary: `HTTP ${status}${code}` };
}

function transportFact(outcome: CallOutcome): { code?: string } {
  return outcome.transportCode === undefined ? {} : { code: outcome.transportCode };
}

/** The class of an HTTP status, with what one wire means by it that others do not. */
function statusType(wire: WireShape, status: number, body: unknown): CallFailureType {
  if (status === 401 || status === 402 || status === 403) return 'AccountTerminal';
  if (status === 429) return 'RateLimited';
  if (status === 501) return 'Misconfigured';
  if (status >= 500 || status === 408 || status === 425 || status === 499) return 'EndpointUnavailable';
  if (status === 404 || status === 405 || status === 407 || status < 400) return 'Misconfigured';
  if (status === 422 && isFieldValidation(body) && (wire === 'moss' || wire === 'pyannote')) {
    // Their only input is the file: a list of field errors says that our form is wrong, not the audio.
    return 'Misconfigured';
  }
  // The pyannote service answers 400 to speaker bounds only, and those are ours.
  return status === 400 && wire === 'pyannote' ? 'Misconfigured' : 'ContentRejected';
}

/** TLS and address faults: no waiting mends them. */
const misconfiguredCodes: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'HOSTNAME_MISMATCH',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_INVALID_URL',
  'UND_ERR_INVALID_ARG',
]);

function classifyTransport(code: string | undefined): Classification {
  const fixed = code !== undefined && (misconfiguredCodes.has(code) || code.startsWith('CERT_'));
  return {
    type: fixed ? 'Misconfigured' : 'EndpointUnavailable',
    hardTimeout: false,
    ...(code !== undefined && { code }),
    summary: code === undefined ? 'the connection failed' : `the connection failed (${code})`,
  };
}
