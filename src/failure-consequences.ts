import type { FailureType } from './failure.js';

/** A time-out by Temporal itself (heartbeat, startToClose): no failure of ours came back, the worker is presumed lost. */
export type EndedAs = FailureType | 'WorkerLost';

/** What the same tier does next, before anything else is decided. */
export type RetryRule =
  /** Temporal retries by the tier's policy: the ladder. */
  | 'policy'
  /** The same tier again without charging it, at most `workerLostRetries` times. */
  | 'sameTier'
  /** The permit was lost, not the call: acquire a new one and go on. */
  | 'newPermit'
  | 'none';

/** Whether an exhausted call of this class counts against the endpoint. */
export type CircuitCharge =
  | 'yes'
  | 'no'
  /** Only when the wait it asks for outlasts `onOpenMaxWaitSec`. */
  | 'whenLasting'
  /** Opens the circuit at once, with the reason shown. */
  | 'opensAtOnce';

/** What an episode does under failover once the tier is done with. */
export type FailoverMove =
  | 'nextTier'
  /** Next tier when the wait is longer than the failover schedule, else wait in this tier. */
  | 'nextTierWhenLong'
  | 'episodeFails'
  /** Next tier, and an alert to the operator. */
  | 'nextTierAndAlert'
  /** The chain stops; the batch halts alive. */
  | 'halt'
  /** Not decided here: the failure is passed on as it is. */
  | 'passOn';

/** What an episode does under hold. */
export type HoldMove =
  /** Retry, then trip, then hold. */
  | 'ladder'
  /** Wait as long as the service asks, at no cost to the ladder. */
  | 'wait'
  | 'episodeFails'
  /** Waiting cannot help: `haltRequested` from the episode to its batch. */
  | 'haltAtOnce'
  /** Queue at the endpoint and wait for it. */
  | 'hold'
  /** The batch is halted; wait for `resume` or `abort`. */
  | 'halt'
  /** Repeat in the same tier as `retries` says; if that is used up, the episode fails. */
  | 'sameTier'
  | 'passOn';

export interface FailureConsequences {
  readonly retries: RetryRule;
  readonly chargesCircuit: CircuitCharge;
  /** Transcribe and diarize: bad input never reaches a next tier (RFC-106). */
  readonly failoverSpeech: FailoverMove;
  /** Summarize, gi and kg cascade on any failure of a call (RFC-089). */
  readonly failoverLlm: FailoverMove;
  readonly hold: HoldMove;
  /** An error alert, once per endpoint and reason. */
  readonly alert: boolean;
}

/** Times that a tier is taken up again after its worker was lost. */
export const workerLostRetries = 3;

const passedOn = {
  retries: 'none',
  chargesCircuit: 'no',
  failoverSpeech: 'passOn',
  failoverLlm: 'passOn',
  hold: 'passOn',
  alert: false,
} as const satisfies FailureConsequences;

const episodeFails = {
  retries: 'none',
  chargesCircuit: 'no',
  failoverSpeech: 'episodeFails',
  failoverLlm: 'episodeFails',
  hold: 'episodeFails',
  alert: false,
} as const satisfies FailureConsequences;

/**
 * What follows from each class, under each strategy: the table of design.md section 4 as data. The only place that
 * says so; workflows look it up and never decide by class themselves.
 */
export const failureConsequences: Readonly<Record<EndedAs, FailureConsequences>> = {
  EndpointUnavailable: {
    retries: 'policy',
    chargesCircuit: 'yes',
    failoverSpeech: 'nextTier',
    failoverLlm: 'nextTier',
    hold: 'ladder',
    alert: false,
  },
  RateLimited: {
    retries: 'none',
    chargesCircuit: 'whenLasting',
    failoverSpeech: 'nextTierWhenLong',
    failoverLlm: 'nextTierWhenLong',
    hold: 'wait',
    alert: false,
  },
  ContentRejected: { ...episodeFails, failoverLlm: 'nextTier' },
  InvalidAnswer: { ...episodeFails, failoverSpeech: 'nextTier', failoverLlm: 'nextTier' },
  AccountTerminal: {
    retries: 'none',
    chargesCircuit: 'opensAtOnce',
    failoverSpeech: 'halt',
    failoverLlm: 'nextTierAndAlert',
    hold: 'haltAtOnce',
    alert: true,
  },
  Misconfigured: {
    retries: 'none',
    chargesCircuit: 'no',
    failoverSpeech: 'halt',
    failoverLlm: 'nextTierAndAlert',
    hold: 'haltAtOnce',
    alert: true,
  },
  CallBudgetExhausted: episodeFails,
  CircuitOpen: { ...episodeFails, failoverSpeech: 'nextTier', failoverLlm: 'nextTier', hold: 'hold' },
  ResilienceFuseOpen: { ...episodeFails, failoverSpeech: 'nextTier', failoverLlm: 'nextTier', hold: 'halt' },
  PermitLost: { ...passedOn, retries: 'newPermit', failoverSpeech: 'nextTier', failoverLlm: 'nextTier', hold: 'hold' },
  /** "–" in the table: after the last repetition the chain goes on as after an unavailable endpoint, uncharged. */
  WorkerLost: {
    ...episodeFails,
    retries: 'sameTier',
    failoverSpeech: 'nextTier',
    failoverLlm: 'nextTier',
    hold: 'sameTier',
  },
  StoreUnavailable: episodeFails,
  /** It cannot be built here (no key): skipped with its reason; a chosen one is refused before the batch starts. */
  TierUnusable: { ...episodeFails, failoverSpeech: 'nextTier', failoverLlm: 'nextTier', hold: 'haltAtOnce' },
  /** A feed or audio file that could not be fetched, after its own retries. */
  SourceUnavailable: episodeFails,
  InvalidInput: episodeFails,
  BatchAborted: passedOn,
  BatchFailed: passedOn,
};
