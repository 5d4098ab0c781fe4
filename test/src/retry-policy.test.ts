import type { RetryPolicy } from '@temporalio/common';
import fc from 'fast-check';
import { policyDefaults } from '../../src/policy-defaults.js';
import {
  attemptDeadlineSec,
  backoffSec,
  backoffWaitsSec,
  isGeometric,
  perEpisodeMaxWaitSec,
  toRetryPolicy,
} from '../../src/retry-policy.js';
import type { ResiliencePolicy } from '../../src/resilience-policy.js';

const hold = policyDefaults('hold', 'transcribe');
const anySchedule = fc.array(fc.integer({ min: 0, max: 3600 }), { minLength: 1, maxLength: 8 });
const anyRetries = fc.integer({ min: 0, max: 20 });

/** Temporal's own rule for the wait before retry n, in seconds. */
function temporalWaitSec(policy: ReturnType<typeof toRetryPolicy>, retryNumber: number): number {
  const wait = policy.initialInterval * policy.backoffCoefficient ** (retryNumber - 1);
  return Math.min(wait, policy.maximumInterval) / 1000;
}

describe('backoffSec', () => {
  it('repeats the last entry: a schedule of 1, 2, 4 with five retries waits 1, 2, 4, 4, 4', () => {
    expect(backoffWaitsSec({ backoffScheduleSec: [1, 2, 4], retriesBeforeTrip: 5 })).toEqual([1, 2, 4, 4, 4]);
  });

  it('waits 30, 60 and 120 s in the default hold ladder', () => {
    expect(backoffWaitsSec(hold)).toEqual([30, 60, 120]);
  });

  it('always takes an entry of the schedule, in its order', () => {
    fc.assert(
      fc.property(anySchedule, fc.integer({ min: 1, max: 40 }), (schedule, retry) => {
        const expected = schedule[retry - 1] ?? schedule.at(-1);
        expect(backoffSec({ backoffScheduleSec: schedule }, retry)).toBe(expected);
      }),
    );
  });

  it.each([0, -1, 1.5])('refuses retry number %d', (retry) => {
    expect(() => backoffSec(hold, retry)).toThrow(/counts from 1/);
  });
});

describe('attemptDeadlineSec', () => {
  it.each([
    ['90 min of whisper', { baseSec: 600, perAudioMinuteSec: 20 }, 90, 2400],
    ['45 min of diarization', { baseSec: 180, perAudioMinuteSec: 6 }, 45, 450],
    ['MOSS, however long', { baseSec: 1800, perAudioMinuteSec: 0 }, 120, 1800],
  ])('scales with the audio: %s', (...[, deadline, minutes, expected]) => {
    expect(attemptDeadlineSec({ deadline }, minutes * 60)).toBe(expected);
  });
});

describe('perEpisodeMaxWaitSec', () => {
  it('is every attempt at its deadline plus all waits', () => {
    expect(perEpisodeMaxWaitSec(hold, 100)).toBe(4 * 100 + 30 + 60 + 120);
  });

  it('is the explicit value where there is one', () => {
    expect(perEpisodeMaxWaitSec({ ...hold, perEpisodeMaxWaitSec: 77 }, 100)).toBe(77);
  });

  it('never cuts off an attempt of its own ladder', () => {
    fc.assert(
      fc.property(anySchedule, anyRetries, fc.integer({ min: 1, max: 7200 }), (schedule, retries, deadline) => {
        const policy: ResiliencePolicy = { ...hold, backoffScheduleSec: schedule, retriesBeforeTrip: retries };
        const lastStart = deadline * retries + backoffWaitsSec(policy).reduce((sum, wait) => sum + wait, 0);
        expect(perEpisodeMaxWaitSec(policy, deadline)).toBe(lastStart + deadline);
      }),
    );
  });
});

describe('isGeometric', () => {
  it.each([[[30, 60, 120]], [[5, 10]], [[1, 2, 4, 8, 16, 30]], [[2, 4, 8, 16, 32, 60]], [[7]], [[5, 5]]])(
    'is true for %j',
    (schedule) => {
      expect(isGeometric(schedule)).toBe(true);
    },
  );

  it.each([[[1, 3, 9]], [[60, 30]], [[10, 20, 25, 60]], [[0]], [[0, 1, 2]]])('is false for %j', (schedule) => {
    expect(isGeometric(schedule)).toBe(false);
  });
});

describe('toRetryPolicy', () => {
  it('is what Temporal takes', () => {
    const policy: RetryPolicy = toRetryPolicy(hold);
    expect(policy).toMatchObject({ initialInterval: 30_000, backoffCoefficient: 2, maximumInterval: 120_000 });
  });

  it('leaves the ladder whole when three attempts are lost with their worker', () => {
    expect(toRetryPolicy(hold, { workerLosses: 3 }).maximumAttempts).toBe(3 + 1 + 3);
  });

  it('retries an unavailable endpoint and no other class of ours', () => {
    const { nonRetryableErrorTypes } = toRetryPolicy(hold);
    expect(nonRetryableErrorTypes).not.toContain('EndpointUnavailable');
    expect(nonRetryableErrorTypes).toEqual(
      expect.arrayContaining(['ContentRejected', 'InvalidAnswer', 'RateLimited', 'AccountTerminal', 'Misconfigured']),
    );
  });

  it('makes Temporal wait exactly as the schedule says wherever the schedule is geometric', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 8 }),
        anyRetries,
        (first, length, retries) => {
          const last = Math.min(3600, first * 2 ** (length - 1));
          const schedule = Array.from({ length }, (_, index) => Math.min(first * 2 ** index, last));
          fc.pre(isGeometric(schedule));
          const policy = { ...hold, backoffScheduleSec: schedule, retriesBeforeTrip: retries };
          const waits = backoffWaitsSec(policy).map((_, index) => temporalWaitSec(toRetryPolicy(policy), index + 1));
          expect(waits).toEqual(backoffWaitsSec(policy));
        },
      ),
    );
  });

  it('is legal for every policy: positive intervals, the maximum no shorter than the first', () => {
    fc.assert(
      fc.property(anySchedule, anyRetries, (schedule, retries) => {
        const policy = toRetryPolicy({ ...hold, backoffScheduleSec: schedule, retriesBeforeTrip: retries });
        expect(policy.initialInterval).toBeGreaterThan(0);
        expect(policy.maximumInterval).toBeGreaterThanOrEqual(policy.initialInterval);
        expect(policy.backoffCoefficient).toBeGreaterThanOrEqual(1);
      }),
    );
  });
});
