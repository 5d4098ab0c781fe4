import { failureConsequences, workerLostRetries } from './failure-consequences.js';
import { failureTypes } from './failure.js';
import type { FailureType } from './failure.js';
import type { ResiliencePolicy } from './resilience-policy.js';
import type { Tier } from './run-plan.js';

/** Plain data in the shape of Temporal's `RetryPolicy`; intervals in milliseconds. */
export interface TemporalRetryPolicy {
  readonly initialInterval: number;
  readonly backoffCoefficient: number;
  readonly maximumInterval: number;
  readonly maximumAttempts: number;
  readonly nonRetryableErrorTypes: FailureType[];
}

/** Seconds to wait before retry 1, 2, ...; the schedule's last entry repeats. Throws `RangeError` for a number below 1. */
export function backoffSec(policy: Pick<ResiliencePolicy, 'backoffScheduleSec'>, retryNumber: number): number {
  if (!Number.isInteger(retryNumber) || retryNumber < 1) {
    throw new RangeError(`retryNumber counts from 1 (the first retry after the first try), got ${retryNumber}`);
  }
  const schedule = policy.backoffScheduleSec;
  return schedule[Math.min(retryNumber, schedule.length) - 1] ?? 0;
}

/** The waits of a whole ladder, in order: one a retry. */
export function backoffWaitsSec(policy: Pick<ResiliencePolicy, 'backoffScheduleSec' | 'retriesBeforeTrip'>): number[] {
  return Array.from({ length: policy.retriesBeforeTrip }, (_, index) => backoffSec(policy, index + 1));
}

/** One attempt's absolute deadline, from the audio file's own length (never the feed's). */
export function attemptDeadlineSec(tier: Pick<Tier, 'deadline'>, audioDurationSec: number): number {
  return tier.deadline.baseSec + (audioDurationSec / 60) * tier.deadline.perAudioMinuteSec;
}

/**
 * Ceiling over all tries of one stage call, from the first try's start and without queue time: the explicit knob, or
 * (deadline × attempts) + the ladder's waits (ADR-122).
 */
export function perEpisodeMaxWaitSec(policy: ResiliencePolicy, deadlineSec: number): number {
  if (policy.perEpisodeMaxWaitSec !== undefined) return policy.perEpisodeMaxWaitSec;
  const waits = backoffWaitsSec(policy).reduce((sum, wait) => sum + wait, 0);
  return deadlineSec * (policy.retriesBeforeTrip + 1) + waits;
}

/**
 * Whether Temporal's own backoff (first wait, doubled, at most the last wait) gives exactly this schedule. When it does
 * not, the activity states each wait as `nextRetryDelay`.
 */
export function isGeometric(scheduleSec: readonly number[]): boolean {
  const first = scheduleSec[0] ?? 0;
  const last = scheduleSec.at(-1) ?? 0;
  // Temporal reads a zero interval as "not set".
  if (first <= 0) return false;
  return scheduleSec.every((wait, index) => wait === Math.min(first * 2 ** index, last));
}

/**
 * The activity's `RetryPolicy`: only classes whose retries are the policy's are retried. `maximumAttempts` is the ladder plus the attempts that may be lost with their worker:
 * Temporal counts both alike, so the activity counts its own failures and ends an exhausted ladder itself with a
 * non-retryable failure.
 */
export function toRetryPolicy(
  policy: ResiliencePolicy,
  { workerLosses = workerLostRetries }: { workerLosses?: number } = {},
): TemporalRetryPolicy {
  const schedule = policy.backoffScheduleSec;
  const longestSec = isGeometric(schedule) ? (schedule.at(-1) ?? 0) : Math.max(...schedule);
  const initialInterval = Math.max(1, Math.round((schedule[0] ?? 0) * 1000));
  return {
    initialInterval,
    backoffCoefficient: isGeometric(schedule) ? 2 : 1,
    maximumInterval: Math.max(initialInterval, Math.round(longestSec * 1000)),
    maximumAttempts: policy.retriesBeforeTrip + 1 + workerLosses,
    nonRetryableErrorTypes: failureTypes.filter((type) => failureConsequences[type].retries !== 'policy'),
  };
}
