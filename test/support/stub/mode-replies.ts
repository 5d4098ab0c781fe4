import type { Mode } from './mode.js';
import type { FixedReply } from './script.js';
import { jsonReply, textReply, type Reply, type Shape } from './shapes/shape.js';

const html = '<html><head><title>Error</title></head><body><h1>Something went wrong</h1></body></html>';

const googleType = (name: string): string => `type.googleapis.com/google.rpc.${name}`;

/** Retry-After in the form the script names: a number of seconds, `date+<s>` or `date-<s>`, else as it stands. */
function retryAfterHeader(form: string): string {
  const date = /^date([+-]\d+)$/.exec(form)?.[1];
  return date === undefined ? form : new Date(Date.now() + Number(date) * 1000).toUTCString();
}

function headersOf(mode: Mode): Record<string, string> {
  const after = mode.options['retry-after'];
  const afterMs = mode.options['retry-after-ms'];
  const reset = mode.options['x-ratelimit-reset'];
  return {
    ...(after !== undefined && { 'retry-after': retryAfterHeader(after) }),
    ...(afterMs !== undefined && { 'retry-after-ms': afterMs }),
    ...(reset !== undefined && { 'x-ratelimit-reset-requests': reset }),
  };
}

const geminiQuota = (quotaId: string): object => ({
  error: {
    code: 429,
    message: 'You exceeded your current quota, please check your plan and billing details.',
    status: 'RESOURCE_EXHAUSTED',
    details: [
      { '@type': googleType('QuotaFailure'), violations: [{ quotaMetric: 'requests', quotaId, quotaValue: '10' }] },
      { '@type': googleType('Help'), links: [] },
      { '@type': googleType('RetryInfo'), retryDelay: '36s' },
    ],
  },
});

const errorModes: Readonly<Record<string, (mode: Mode, shape: Shape) => Reply>> = {
  status: (mode, shape) => shape.error(Number(mode.argument ?? 500), 'scripted error', mode.options['code']),
  html500: () => ({ status: 500, body: html, contentType: 'text/html' }),
  html200: () => ({ status: 200, body: html, contentType: 'text/html' }),
  plain500: () => textReply(500, 'Internal Server Error'),
  plain503: () => ({ ...textReply(503, 'Service Unavailable'), headers: { connection: 'close' } }),
  'oom-then-gone': () => textReply(500, 'Internal Server Error'),
  loading: (_mode, shape) => shape.error(503, 'model still loading'),
  '200err': (mode) => jsonReply(200, { error: { message: 'scripted', code: Number(mode.argument ?? 500) } }),
  '404model': (_mode, shape) => shape.error(404, 'The model does not exist', 'model_not_found'),
  '400context': (_mode, shape) =>
    shape.error(400, "This model's maximum context length is 4096 tokens", 'context_length_exceeded'),
  '413': (_mode, shape) => shape.error(413, 'Maximum content size limit (26214400) exceeded'),
  'quota-terminal': (_mode, shape) => shape.error(429, 'You exceeded your current quota', 'insufficient_quota'),
  'rate-limit': (_mode, shape) => shape.error(429, 'Too many requests', 'rate_limit_exceeded'),
  'gemini-retrydelay': () => jsonReply(429, geminiQuota('GenerateRequestsPerMinutePerProjectPerModel')),
  'gemini-daily-quota': () => jsonReply(429, geminiQuota('GenerateRequestsPerDayPerProjectPerModel-FreeTier')),
  'deepgram-modern': (mode) =>
    jsonReply(Number(mode.argument ?? 400), {
      category: 'INVALID_JSON',
      message: 'bad',
      details: '',
      request_id: 'stub',
    }),
};

/** The reply of a mode that answers with an error or with something that is no answer; undefined for all others. */
export function errorReply(mode: Mode, shape: Shape): Reply | undefined {
  const reply = errorModes[mode.name]?.(mode, shape);
  return reply && { ...reply, headers: { ...reply.headers, ...headersOf(mode) } };
}

export function fixedReply(reply: FixedReply): Reply {
  const isText = typeof reply.body === 'string';
  return {
    status: reply.status,
    headers: reply.headers ?? {},
    body: typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body),
    contentType: reply.contentType ?? (isText ? 'text/plain; charset=utf-8' : 'application/json'),
  };
}

/** Spoils a good reply's bytes: truncated JSON with a right length, or a bare `NaN` as Python writes it. */
export function spoiled(reply: Reply, mode: string): Reply {
  if (mode === 'truncated') return { ...reply, body: reply.body.slice(0, Math.ceil(reply.body.length / 2)) };
  if (mode === 'json-nan')
    return { ...reply, body: reply.body.replace(/("(?:start|created|index)":)\s*[\d.]+/, '$1NaN') };
  return reply;
}
