import type { CallFailureType, FailureDetails } from './failure.js';
import { failureConsequences, type EndedAs, type FailoverMove, type HoldMove } from './failure-consequences.js';
import type { ReleasePermit } from './messages.js';
import type { FailureStrategy } from './resilience-policy.js';
import { isLlmStage, type Stage } from './stage.js';

/** How a stage's activity ended, as the workflow reads it from Temporal's failure. */
export interface StageFailure {
  readonly endedAs: EndedAs;
  readonly message: string;
  readonly details: FailureDetails;
}

/** What the episode does next; looked up, never decided here. */
export function nextMove(failure: StageFailure, strategy: FailureStrategy, stage: Stage): FailoverMove | HoldMove {
  const row = failureConsequences[failure.endedAs];
  if (strategy === 'hold') return row.hold;
  return isLlmStage(stage) ? row.failoverLlm : row.failoverSpeech;
}

const outcomes: Readonly<Record<CallFailureType, ReleasePermit['outcome']>> = {
  EndpointUnavailable: 'exhausted',
  RateLimited: 'paced',
  ContentRejected: 'rejected',
  InvalidAnswer: 'rejected',
  AccountTerminal: 'terminal',
  Misconfigured: 'misconfigured',
};

/** One line for people: what the endpoint did, without a word of what it said. */
export function reasonOf(failure: StageFailure): string {
  const { status, code, hardTimeout, modelExpected, modelReported } = failure.details;
  if (modelExpected !== undefined && modelReported !== undefined) {
    return `Misconfigured: asked for model ${modelExpected}, served is ${modelReported}`;
  }
  const facts = [
    hardTimeout === true ? 'deadline' : undefined,
    status === undefined ? undefined : `HTTP ${status}`,
    code,
  ];
  return [failure.endedAs, ...facts.filter((fact) => fact !== undefined)].join(' ');
}

/** How the permit of a failed call goes back. */
export function releaseFor(failure: StageFailure): Omit<ReleasePermit, 'requestId' | 'requeue'> {
  const { endedAs, details } = failure;
  const outcome = endedAs in outcomes ? outcomes[endedAs as CallFailureType] : 'returned';
  const mayStillCompute = details.hardTimeout === true || details.mayStillCompute === true || endedAs === 'WorkerLost';
  return {
    outcome,
    reason: reasonOf(failure),
    ...(details.hardTimeout === undefined ? {} : { hardTimeout: details.hardTimeout }),
    ...(mayStillCompute ? { mayStillCompute } : {}),
    ...(outcome === 'paced' && details.retryAfterMs !== undefined ? { pacedForMs: details.retryAfterMs } : {}),
  };
}
