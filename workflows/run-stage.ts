import { ApplicationFailure, getExternalWorkflowHandle, proxyActivities } from '@temporalio/workflow';
import type {
  FinishedStage,
  StageActivities,
  StageActivityName,
  StageInput,
  StageOutput,
} from '../activities/contracts.js';
import type { EpisodeRef } from '../src/episode.js';
import { messageNames, type HaltNotice, type PermitGrant } from '../src/messages.js';
import { attemptDeadlineSec, toRetryPolicy } from '../src/retry-policy.js';
import type { RunPlan, Tier } from '../src/run-plan.js';
import { nextMove, reasonOf, releaseFor, type StageFailure } from '../src/stage-failure.js';
import { isLlmStage, type Stage } from '../src/stage.js';
import { documentsFor, type StageDocuments, type StoredDocument } from '../src/work-order.js';
import type { EpisodeState } from './episode-state.js';
import type { PermitDesk } from './permit-desk.js';
import { readFailure } from './read-failure.js';

const activityNames: Readonly<Record<Stage, StageActivityName>> = {
  transcribe: 'transcribe',
  diarize: 'diarize',
  summarize: 'summarize',
  gi: 'groundInsights',
  kg: 'buildKnowledgeGraph',
};

/** A worker that has not been heard of for so long is lost. Heartbeats come at less than a third of it. */
const heartbeatTimeoutSec = 20;
/**
 * Beyond our own deadline, which always ends an attempt before Temporal's: an attempt may first wait, as long as an
 * endpoint's `drainSec` can be, for what was sent before. A lost worker is told by its heartbeats long before.
 */
const beforeTheCallSec = 7200 + 90;
/** A text stage makes many calls, each with a deadline of its own, in one activity. */
const textStageCallsAtMost = 200;

export interface EpisodeWork {
  readonly plan: RunPlan;
  readonly episode: EpisodeRef;
  readonly order: StoredDocument;
  readonly durationSec: number;
  readonly documents: StageDocuments;
  readonly state: EpisodeState;
  readonly desk: PermitDesk;
  readonly batch: { readonly id: string; readonly isAlone: boolean };
}

/** A tier that is done with, and why. */
interface Given {
  readonly up: StageFailure | { readonly denied: string };
}

/** One stage of one episode over its chain of tiers; under hold there is one tier, and no other is ever contacted. */
export class StageRun {
  private readonly policyTerms;
  private pacedSinceMs: number | undefined;

  constructor(
    private readonly work: EpisodeWork,
    private readonly stage: Stage,
    /** Endpoint of the stage that follows: where it is the same, one permit serves both. */
    private readonly nextEndpointId: string | undefined,
  ) {
    const { runContext } = work.plan;
    this.policyTerms = (tier: Tier) => ({
      strategy: tier.policy.failureStrategy,
      runContext,
      onOpenMaxWaitSec: tier.policy.onOpenMaxWaitSec,
      ...(tier.policy.probeIntervalSec === undefined ? {} : { probeIntervalSec: tier.policy.probeIntervalSec }),
    });
  }

  /** @throws ApplicationFailure of the class that ended it; with every tier's error when the chain is used up */
  async run(): Promise<FinishedStage> {
    const { chain } = this.work.plan.stages[this.stage];
    const errors: string[] = [];
    let last: Given['up'] | undefined;
    for (const [tierIndex, tier] of chain.entries()) {
      const result = await this.runTier(tier, tierIndex);
      if ('document' in result) return { ...result, stage: this.stage, tierIndex };
      last = result.up;
      const why = 'denied' in last ? last.denied : last.message;
      errors.push(`${tier.optionId} at ${tier.endpointId}: ${why}`);
    }
    const type = last === undefined || 'denied' in last ? 'CircuitOpen' : last.endedAs;
    throw ApplicationFailure.nonRetryable(`${this.stage}: no tier answered. ${errors.join('; ')}`, type);
  }

  private async runTier(tier: Tier, tierIndex: number): Promise<StageOutput | Given> {
    const { desk, state } = this.work;
    let answer = await this.acquire(tier);
    for (;;) {
      if (answer.kind === 'denied') return { up: { denied: answer.reason } };
      if (state.paused) {
        await desk.giveBack();
        await state.untilResumed();
        answer = await this.acquire(tier);
        continue;
      }
      const result = await this.call(tier, tierIndex, answer);
      if ('document' in result) return result;
      const next = await this.afterFailure(result, tier, answer);
      if (next === undefined) return { up: result };
      answer = next;
    }
  }

  private async acquire(tier: Tier): ReturnType<PermitDesk['acquire']> {
    const { desk, state } = this.work;
    // Whoever pauses must not keep others from the endpoint: not even with a permit carried over to this stage.
    if (state.paused) await desk.giveBack();
    await state.untilResumed();
    const answer = await desk.acquire(tier.endpointId, this.policyTerms(tier), this.onWait);
    state.stopsWaiting();
    return answer;
  }

  private async exchange(
    tier: Tier,
    release: Parameters<PermitDesk['exchange']>[0],
  ): ReturnType<PermitDesk['exchange']> {
    const { desk, state } = this.work;
    const answer = await desk.exchange(release, this.policyTerms(tier), this.onWait);
    state.stopsWaiting();
    return answer;
  }

  private readonly onWait = (): void => {
    const { waitingFor } = this.work.desk;
    if (waitingFor !== undefined) this.work.state.startsWaiting(waitingFor);
  };

  /** One activity: the ladder of one permit. */
  private async call(tier: Tier, tierIndex: number, grant: PermitGrant): Promise<StageOutput | StageFailure> {
    const { desk, order, documents } = this.work;
    const release = this.nextEndpointId !== tier.endpointId;
    const single = grant.canary === true || grant.trial === true;
    const permit = { number: desk.inHand?.number ?? 0, fresh: desk.inHand?.fresh ?? true, release, single };
    const input: StageInput = { order, tierIndex, permit, documents: documentsFor(this.stage, documents) };
    try {
      const output = await this.activityFor(tier)[activityNames[this.stage]](input);
      if (release) desk.wasReleased();
      else if (desk.inHand !== undefined) desk.inHand.fresh = false;
      return output;
    } catch (error) {
      const failure = readFailure(error);
      if (failure === undefined) throw error;
      return failure;
    }
  }

  private activityFor(tier: Tier): StageActivities {
    const deadlineSec = attemptDeadlineSec(tier, this.work.durationSec);
    const calls = isLlmStage(this.stage) ? textStageCallsAtMost : 1;
    // The activity says itself which failures end it, so the list of types need not go into every history.
    const { nonRetryableErrorTypes, ...retry } = toRetryPolicy(tier.policy);
    return proxyActivities<StageActivities>({
      startToCloseTimeout: 1000 * (deadlineSec * calls + beforeTheCallSec),
      heartbeatTimeout: 1000 * heartbeatTimeoutSec,
      cancellationType: 'WAIT_CANCELLATION_COMPLETED',
      retry,
      summary: `${tier.model} at ${tier.endpointId}`,
    });
  }

  /** What the table says; undefined: this tier is done with. Throws when the episode is. */
  private async afterFailure(
    failure: StageFailure,
    tier: Tier,
    grant: PermitGrant,
  ): Promise<Awaited<ReturnType<PermitDesk['acquire']>> | undefined> {
    const { desk } = this.work;
    if (grant.trial === true && failure.endedAs === 'EndpointUnavailable') {
      await desk.giveBack(releaseFor(failure));
      throw ApplicationFailure.nonRetryable(
        `${this.stage}: suspect input. Endpoint ${tier.endpointId} serves other episodes and its probe, and fails for this one (${reasonOf(failure)}).`,
        'ContentRejected',
      );
    }
    const move = nextMove(failure, tier.policy.failureStrategy, this.stage);
    switch (move) {
      case 'ladder':
      case 'hold':
      case 'halt':
        if (failure.endedAs === 'AccountTerminal' || failure.endedAs === 'Misconfigured')
          return this.halt(failure, tier);
        return this.exchange(tier, releaseFor(failure));
      case 'wait':
        return this.exchange(tier, this.paced(failure, tier));
      case 'haltAtOnce':
        return this.halt(failure, tier);
      case 'nextTierWhenLong':
        if ((failure.details.retryAfterMs ?? 0) <= 1000 * Math.max(...tier.policy.backoffScheduleSec)) {
          return this.exchange(tier, this.paced(failure, tier));
        }
        await desk.giveBack(this.paced(failure, tier));
        return undefined;
      case 'nextTier':
      case 'nextTierAndAlert':
        await desk.giveBack(releaseFor(failure));
        return undefined;
      case 'episodeFails':
      case 'sameTier':
      case 'passOn':
        await desk.giveBack(releaseFor(failure));
        throw ApplicationFailure.nonRetryable(`${this.stage}: ${failure.message}`, failure.endedAs, failure.details);
    }
  }

  /** A 429 costs no retry and does not charge the circuit, unless it outlasts the time one would wait for an outage. */
  private paced(failure: StageFailure, tier: Tier): ReturnType<typeof releaseFor> {
    this.pacedSinceMs ??= Date.now();
    const isLasting = Date.now() - this.pacedSinceMs > 1000 * tier.policy.onOpenMaxWaitSec;
    if (isLasting) return { ...releaseFor(failure), outcome: 'exhausted' };
    return {
      ...releaseFor(failure),
      pacedForMs: failure.details.retryAfterMs ?? 1000 * (tier.policy.backoffScheduleSec[0] ?? 1),
    };
  }

  /** Waiting cannot help: the batch halts at once, and this stage is tried again after its `resume`. */
  private async halt(failure: StageFailure, tier: Tier): ReturnType<PermitDesk['acquire']> {
    const { desk, state, batch, episode } = this.work;
    await desk.giveBack(releaseFor(failure));
    const notice: HaltNotice = {
      endpointId: tier.endpointId,
      failureType: failure.endedAs === 'AccountTerminal' ? 'AccountTerminal' : 'Misconfigured',
      reason: reasonOf(failure),
      episodeId: episode.episodeId,
    };
    if (!batch.isAlone) {
      await getExternalWorkflowHandle(batch.id).signal(messageNames.batch.signals.haltRequested, notice);
    }
    await state.haltUntilResumed(notice);
    return this.acquire(tier);
  }
}
