/** Header names in lower case. */
export type ResponseHeaders = Readonly<Record<string, string | undefined>>;

export interface RetryAfterSource {
  readonly headers: ResponseHeaders;
  /** The parsed body, for Gemini's RetryInfo. */
  readonly body?: unknown;
  /** Now, for the forms that name an instant. */
  readonly nowMs: number;
  /**
   * Whether the answer is a 429. The headers that tell when a quota is full again are sent with every answer, so they
   * count only then.
   */
  readonly rateLimited: boolean;
}

/** Longer waits are cut to this; a date in 2099 parses well. */
export const longestRetryAfterMs = 24 * 60 * 60 * 1000;

/**
 * How long the service asks us to wait, in milliseconds; 0 for a time that has passed, undefined where it does not
 * say or says something unreadable. The most exact form wins: `retry-after-ms`, then `Retry-After` (seconds, decimals
 * or a date in any of HTTP's three forms), Gemini's `RetryInfo` in the body, `x-ratelimit-reset-requests|tokens`
 * (Go durations: `20ms`, `1m30s`), Deepgram's `X-RateLimit-Reset` (epoch seconds).
 */
export function retryAfterMs(source: RetryAfterSource): number | undefined {
  const { headers, body, nowMs, rateLimited } = source;
  const found =
    plainNumber(headers['retry-after-ms']) ??
    retryAfterHeaderMs(headers['retry-after'], nowMs) ??
    retryInfoMs(body) ??
    (rateLimited ? (quotaResetMs(headers) ?? epochResetMs(headers['x-ratelimit-reset'], nowMs)) : undefined);
  return found === undefined ? undefined : Math.min(longestRetryAfterMs, Math.max(0, Math.ceil(found)));
}

/** A number and nothing else. Never falls through to a date: `Date.parse('120')` is the year 120. */
function plainNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

const httpDate = /^(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?,? /;

function retryAfterHeaderMs(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const seconds = plainNumber(text);
  if (seconds !== undefined) return seconds * 1000;
  const date = text.trim();
  if (!httpDate.test(date)) return undefined;
  // The asctime form names no zone and means GMT.
  const atMs = Date.parse(/GMT|UTC|[+-]\d{4}$/.test(date) ? date : `${date} GMT`);
  return Number.isFinite(atMs) ? atMs - nowMs : undefined;
}

function retryInfoMs(body: unknown): number | undefined {
  for (const detail of errorDetails(body)) {
    if (!typeOf(detail).endsWith('google.rpc.RetryInfo')) continue;
    const delay = detail['retryDelay'];
    const seconds = typeof delay === 'string' ? /^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1] : undefined;
    if (seconds !== undefined) return Number(seconds) * 1000;
  }
  return undefined;
}

/** `error.details` of a Google error body; empty for any other body. */
export function errorDetails(body: unknown): readonly Readonly<Record<string, unknown>>[] {
  const details = field(field(body, 'error'), 'details');
  return Array.isArray(details) ? details.filter((detail): detail is Record<string, unknown> => isRecord(detail)) : [];
}

function typeOf(detail: Readonly<Record<string, unknown>>): string {
  const type = detail['@type'];
  return typeof type === 'string' ? type : '';
}

/** The quota that is used up says when it is full again; where none says so, the later of both. */
function quotaResetMs(headers: ResponseHeaders): number | undefined {
  const quotas = ['requests', 'tokens'].flatMap((quota) => {
    const resetMs = goDurationMs(headers[`x-ratelimit-reset-${quota}`]);
    return resetMs === undefined ? [] : [{ resetMs, usedUp: headers[`x-ratelimit-remaining-${quota}`] === '0' }];
  });
  const usedUp = quotas.filter((quota) => quota.usedUp);
  const relevant = usedUp.length > 0 ? usedUp : quotas;
  return relevant.length === 0 ? undefined : Math.max(...relevant.map((quota) => quota.resetMs));
}

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

function goDurationMs(text: string | undefined): number | undefined {
  if (text === undefined || !/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  let totalMs = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)) {
    totalMs += Number(amount) * (unitMs[unit ?? ''] ?? 0);
  }
  return totalMs;
}

function epochResetMs(text: string | undefined, nowMs: number): number | undefined {
  const epochSec = plainNumber(text);
  return epochSec === undefined ? undefined : epochSec * 1000 - nowMs;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field of an unknown value; undefined unless it is an object that has it. */
export function field(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}
