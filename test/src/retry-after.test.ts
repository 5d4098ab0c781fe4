import fc from 'fast-check';
import { longestRetryAfterMs, retryAfterMs } from '../../src/retry-after.js';

const nowMs = Date.parse('2026-11-30T12:00:00Z');

const read = (headers: Record<string, string>, body?: unknown) =>
  retryAfterMs({ headers, body, nowMs, rateLimited: true });

const retryInfo = (retryDelay: string) => ({
  error: { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }] },
});

describe('retryAfterMs', () => {
  it.each([
    ['seconds', { 'retry-after': '7' }, 7000],
    ['seconds that look like a year', { 'retry-after': '120' }, 120_000],
    ['decimals', { 'retry-after': '7.5' }, 7500],
    ['decimals that look like a date', { 'retry-after': '1.5' }, 1500],
    ['a negative number', { 'retry-after': '-3' }, 0],
    ['an IMF date', { 'retry-after': 'Mon, 30 Nov 2026 12:00:30 GMT' }, 30_000],
    ['an RFC 850 date', { 'retry-after': 'Monday, 30-Nov-26 12:00:30 GMT' }, 30_000],
    ['an asctime date', { 'retry-after': 'Mon Nov 30 12:00:30 2026' }, 30_000],
    ['a past date', { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }, 0],
    ['a date in 2099', { 'retry-after': 'Wed, 01 Jan 2099 00:00:00 GMT' }, longestRetryAfterMs],
    ['milliseconds', { 'retry-after-ms': '1500' }, 1500],
    ['milliseconds before seconds', { 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    ['a Go duration in milliseconds', { 'x-ratelimit-reset-requests': '20ms' }, 20],
    ['a Go duration in seconds', { 'x-ratelimit-reset-tokens': '1.2s' }, 1200],
    ['a Go duration in minutes', { 'x-ratelimit-reset-requests': '6m0s' }, 360_000],
    ['a Go duration in hours', { 'x-ratelimit-reset-requests': '1h2m3s' }, 3_723_000],
    ['epoch seconds', { 'x-ratelimit-reset': String(nowMs / 1000 + 12) }, 12_000],
  ] as const)('reads %s', (_name, headers, expected) => {
    expect(read(headers)).toBe(expected);
  });

  it.each([
    ['36s', 36_000],
    ['36.4s', 36_400],
    ['36.429760048s', 36_430],
  ])("reads Gemini's RetryInfo %s", (delay, expected) => {
    expect(read({}, retryInfo(delay))).toBe(expected);
  });

  it.each(['soon', '', '12 apples', 'NaN', 'Infinity', 'Mon, 99 Foo 2026', '0x10'])('knows nothing of %p', (text) => {
    expect(read({ 'retry-after': text })).toBeUndefined();
  });

  it('takes the reset of the quota that is used up', () => {
    const headers = {
      'x-ratelimit-reset-requests': '20ms',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-tokens': '6m0s',
      'x-ratelimit-remaining-tokens': '90000',
    };
    expect(read(headers)).toBe(20);
  });

  it('does not take a quota header of an answer that is no 429 for a wait', () => {
    const headers = { 'x-ratelimit-reset-requests': '6m0s' };
    expect(retryAfterMs({ headers, nowMs, rateLimited: false })).toBeUndefined();
  });

  it('gives a whole number within its limits, or nothing, for any header', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (after, reset) => {
        const waitMs = read({ 'retry-after': after, 'x-ratelimit-reset': reset }) ?? 0;
        expect(Number.isInteger(waitMs) && waitMs >= 0 && waitMs <= longestRetryAfterMs).toBe(true);
      }),
    );
  });
});
