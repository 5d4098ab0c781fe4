import type { Readable } from 'node:stream';
import { Agent, request as undiciRequest, type FormData } from 'undici';
import type { z } from 'zod';
import { classify, type AnswerFault, type ReceivedResponse } from '../../src/classify.js';
import { hasErrorBody, requestIdOf } from '../../src/error-body.js';
import { CallFailure } from './call-failure.js';
import { inCallSpan } from './call-span.js';
import { codeOf } from './error-code.js';
import type { CallScope } from './call-scope.js';
import { readAnswer } from './json-answer.js';
import type { Service } from './provider.js';

/**
 * Idle timers off: at their default of 300 s they cut a call that would have succeeded (design.md section 3); the
 * scope's deadline is the only clock. The connect timer stays, as a host that does not answer is unreachable, not slow.
 * Idle connections are dropped after 2 s, before uvicorn's 5 s: a reused one must not meet its server's hang-up.
 */
export const agentOptions = {
  headersTimeout: 0,
  bodyTimeout: 0,
  connectTimeout: 10_000,
  keepAliveTimeout: 2000,
  keepAliveMaxTimeout: 2000,
} as const satisfies Agent.Options;

const agent = new Agent(agentOptions);

/** What a request is for; sent along, so that operators and the scripted services can tell. */
export type Purpose = 'work' | 'probe' | 'health' | 'models';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly purpose: Purpose;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON for a plain value, a form, or a raw stream of known length. */
  readonly json?: unknown;
  readonly form?: FormData;
  readonly raw?: { readonly stream: Readable; readonly bytes: number; readonly contentType: string };
}

/** A complete JSON answer with status 2xx. */
export interface HttpAnswer {
  readonly json: unknown;
  readonly requestId?: string;
  /** Makes the failure for an answer that is complete and no use. */
  invalid(fault: AnswerFault): CallFailure;
}

/** A request under a scope: what every send needs. */
export interface Sender {
  readonly scope: CallScope;
  readonly service: Service;
}

/**
 * Sends one request, once. The only place that does.
 *
 * @throws CallFailure for everything that is not a complete JSON answer; the reason of a cancellation as it is
 */
export async function send(sender: Sender, request: HttpRequest): Promise<HttpAnswer> {
  return inCallSpan({ ...request, service: sender.service }, (span, traceHeaders) =>
    sendOnce(sender, request, {
      traceHeaders,
      onStatus: (status) => span.setAttribute('http.response.status_code', status),
    }),
  );
}

interface Traced {
  readonly traceHeaders: Readonly<Record<string, string>>;
  readonly onStatus: (status: number) => void;
}

async function sendOnce(sender: Sender, request: HttpRequest, traced: Traced): Promise<HttpAnswer> {
  let received: ReceivedResponse | undefined;
  const fail = (more: { transportCode?: string; answerFault?: AnswerFault } = {}): CallFailure =>
    failureOf(sender, received, more);
  try {
    const response = await undiciRequest(request.url, {
      method: request.method,
      dispatcher: agent,
      signal: sender.scope.signal,
      headers: {
        ...request.headers,
        ...bodyHeaders(request),
        ...traced.traceHeaders,
        'x-holdfast-purpose': request.purpose,
      },
      body: bodyOf(request),
    });
    traced.onStatus(response.statusCode);
    received = { status: response.statusCode, headers: flatHeaders(response.headers) };
    const answer = await readAnswer(response.body);
    const body = 'value' in answer ? answer.value : undefined;
    received = { ...received, body };
    if (answer.kind === 'nan') throw fail({ answerFault: { reason: 'nan_in_answer' } });
    if (answer.kind === 'tooLarge') throw fail({ answerFault: { reason: 'answer_too_large' } });
    const ok = received.status >= 200 && received.status < 300;
    if (!ok || answer.kind === 'none' || hasErrorBody(body)) throw fail();
  } catch (error) {
    if (error instanceof CallFailure) throw error;
    const transportCode = codeOf(error);
    throw fail(transportCode === undefined ? {} : { transportCode });
  }
  const requestId = requestIdOf(received.headers, received.body);
  return {
    json: received.body,
    ...(requestId !== undefined && { requestId }),
    invalid: (answerFault) => fail({ answerFault }),
  };
}

/** Checks what is used of an answer; extra fields are tolerated. */
export function parsedAs<T>(answer: HttpAnswer, schema: z.ZodType<T>): T {
  const result = schema.safeParse(answer.json);
  if (result.success) return result.data;
  const path = result.error.issues[0]?.path.map(String).join('.') ?? '';
  throw answer.invalid({ reason: `schema_mismatch:${path === '' ? 'top' : path}` });
}

function failureOf(
  { scope, service }: Sender,
  response: ReceivedResponse | undefined,
  more: { transportCode?: string; answerFault?: AnswerFault },
): CallFailure {
  const classification = classify({
    wire: service.wire,
    cancelled: scope.cancellation.aborted,
    deadlinePassed: scope.deadlinePassed,
    nowMs: Date.now(),
    ...(response && { response }),
    ...more,
  });
  // Thrown, not returned: cancellation is no failure of a call.
  if (classification === 'cancelled') throw scope.cancellation.reason;
  return new CallFailure(classification, service);
}

function bodyHeaders(request: HttpRequest): Record<string, string> {
  if (request.raw) return { 'content-type': request.raw.contentType, 'content-length': String(request.raw.bytes) };
  return request.json === undefined ? {} : { 'content-type': 'application/json' };
}

function bodyOf(request: HttpRequest): string | FormData | Readable | null {
  if (request.json !== undefined) return JSON.stringify(request.json);
  return request.form ?? request.raw?.stream ?? null;
}

function flatHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
}
