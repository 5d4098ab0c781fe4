import { Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import { z } from 'zod';
import { attemptDeadlineSec, backoffSec, perEpisodeMaxWaitSec } from '../../src/retry-policy.js';
import type { ReleasePermit } from '../../src/messages.js';
import { ifThere, type EndpointMessenger } from '../endpoint/endpoint-messenger.js';
import { untilIdle } from '../endpoint/until-idle.js';
import type { Attempt, AttemptServices } from './attempt.js';
import type { StageJob } from './stage-job.js';
import { ClassifiedError, classOf, toApplicationFailure } from '../throw-failure.js';

/** Carried from attempt to attempt in the heartbeat: Temporal counts attempts lost with a worker too, we do not. */
const progressSchema = z.object({
  firstStartMs: z.number(),
  failed: z.number(),
  calls: z.number(),
  /** Last sign of life. */
  aliveAtMs: z.number(),
  /** The last attempt that ended by its own word; one that did not was lost, with a call in flight for all we know. */
  ended: z.number(),
  /** It ended, but at our own deadline: the service may go on computing. */
  mayStillCompute: z.boolean(),
});
type Progress = z.infer<typeof progressSchema>;

const heartbeatMs = 2000;
const gateDeadlineMs = 15_000;
/** A cheap check in front of each retry: refused counts as the attempt, a time-out means busy (design.md section 5). */
const healthDeadlineMs = 2000;

export interface LadderDependencies {
  readonly messenger: EndpointMessenger;
  readonly nowMs: () => number;
  /** Uniform in 0..1; only used where a policy states jitter. */
  readonly random: () => number;
}

function begun(nowMs: number): Progress {
  return { firstStartMs: nowMs, failed: 0, calls: 0, aliveAtMs: nowMs, ended: 0, mayStillCompute: false };
}

/**
 * One attempt of a stage's ladder under a permit: checks the permit, the ceiling and the service, sends, reports, and
 * decides whether Temporal tries again (ADR-122; design.md sections 3 to 5). The same code under hold and failover.
 */
export class Ladder {
  private readonly context = Context.current();
  private readonly progress: Progress;
  private readonly timer: NodeJS.Timeout;
  private isSending = false;
  /** Since when the service may be computing what an attempt before this one sent. */
  private readonly leftoverSinceMs: number | undefined;

  constructor(
    private readonly input: StageJob,
    private readonly deps: LadderDependencies,
  ) {
    const before = progressSchema.safeParse(this.context.info.heartbeatDetails);
    this.progress = before.success ? before.data : begun(deps.nowMs());
    const { attempt } = this.context.info;
    const isLost = attempt > 1 && this.progress.ended !== attempt - 1;
    this.leftoverSinceMs = isLost || this.progress.mayStillCompute ? this.progress.aliveAtMs : undefined;
    this.progress.mayStillCompute = false;
    // Before anything that may wait: an attempt that is not heard of is dispatched again beside this one.
    this.beat();
    this.timer = setInterval(() => this.beat(), heartbeatMs);
    this.timer.unref();
  }

  /** Runs `send` as this attempt. Throws an `ApplicationFailure`, or passes cancellation on. */
  async attempt<T>(services: AttemptServices, send: (attempt: Attempt) => Promise<T>): Promise<T> {
    try {
      await this.checkPermit();
      this.checkCeiling();
      await this.checkService(services);
      const result = await this.send(send);
      await this.reportSuccess();
      return result;
    } catch (error) {
      if (this.context.cancellationSignal.aborted) return await this.cancelled(error);
      throw await this.failed(error);
    } finally {
      this.stop();
    }
  }

  /** Ends the heartbeats. */
  stop(): void {
    clearInterval(this.timer);
  }

  /** The stage turned out to be finished: the permit goes back unused. */
  async leaveUnused(): Promise<void> {
    this.stop();
    if (this.input.permit.release) await this.release({ outcome: 'returned' });
  }

  private async send<T>(send: (attempt: Attempt) => Promise<T>): Promise<T> {
    this.isSending = true;
    const result = await send(this.attemptFacts());
    this.isSending = false;
    return result;
  }

  private attemptFacts(): Attempt {
    const { audio, tier } = this.input;
    return {
      cancellation: this.context.cancellationSignal,
      deadlineMs: 1000 * attemptDeadlineSec(tier, audio.durationSec),
      callsSoFar: () => this.progress.calls,
      sent: (calls) => {
        this.progress.calls += calls;
        this.beat();
      },
      answered: () => this.startAnew(),
    };
  }

  /** One call of several is answered, so the service works: what fails later climbs a ladder of its own. */
  private async startAnew(): Promise<void> {
    const { permit, tier } = this.input;
    this.progress.firstStartMs = this.deps.nowMs();
    if (this.progress.failed === 0) return;
    this.progress.failed = 0;
    await ifThere(this.deps.messenger.callSucceeded(tier.endpointId, { requestId: permit.requestId }));
  }

  private beat(): void {
    this.progress.aliveAtMs = this.deps.nowMs();
    this.context.heartbeat(this.progress);
  }

  private get isRetry(): boolean {
    return this.context.info.attempt > 1;
  }

  /** A fresh permit's first attempt needs no question; any other might have been overtaken by events. */
  private async checkPermit(): Promise<void> {
    const { permit, tier } = this.input;
    if (permit.fresh && !this.isRetry) return;
    const answer = await this.gate(tier.endpointId, permit.requestId);
    this.context.cancellationSignal.throwIfAborted();
    if (answer === 'lost') throw new ClassifiedError('PermitLost', `the permit of ${tier.endpointId} is gone`);
    if (answer === 'go') return;
    const leftover = this.leftoverSinceMs === undefined ? {} : { mayStillCompute: true };
    throw new ClassifiedError('CircuitOpen', `${tier.endpointId} is suspect or open: wait for it`, leftover);
  }

  private async gate(endpointId: string, requestId: string): Promise<'go' | 'wait' | 'lost'> {
    const timeout = new Promise<'wait'>((resolve) => setTimeout(resolve, gateDeadlineMs, 'wait').unref());
    // An entity that does not answer is no leave to call: queue up again.
    return Promise.race([this.deps.messenger.gate(endpointId, requestId).catch(() => 'lost' as const), timeout]);
  }

  private ceilingMs(): number {
    const { tier, audio } = this.input;
    return 1000 * perEpisodeMaxWaitSec(tier.policy, attemptDeadlineSec(tier, audio.durationSec));
  }

  private checkCeiling(): void {
    const { policy, optionId } = this.input.tier;
    if (policy.perEpisodeMaxWaitSec === undefined || !this.isCeilingReached(0)) return;
    throw new ClassifiedError('EndpointUnavailable', `${optionId}: this call's own ceiling is reached`, {
      code: 'CEILING',
    });
  }

  private isCeilingReached(inMs: number): boolean {
    return this.deps.nowMs() + inMs - this.progress.firstStartMs >= this.ceilingMs();
  }

  private async checkService({ client, service, apiKey }: AttemptServices): Promise<void> {
    const { tier, drainSec } = this.input;
    const options = { cancellation: this.context.cancellationSignal, ...(apiKey === undefined ? {} : { apiKey }) };
    // Two at once is what must never happen: what was sent before may still be computed there.
    if (this.leftoverSinceMs !== undefined && drainSec > 0) {
      await untilIdle({ client, service, options }, this.leftoverSinceMs + 1000 * drainSec);
    }
    if (!this.isRetry && tier.policy.failureStrategy === 'hold') return;
    const health = await client.health(service, { ...options, deadlineMs: healthDeadlineMs });
    options.cancellation.throwIfAborted();
    if (health !== 'down') return;
    throw new ClassifiedError('EndpointUnavailable', `${tier.endpointId} is down by its health check`, {
      code: 'HEALTH_DOWN',
    });
  }

  private async reportSuccess(): Promise<void> {
    const { permit, tier } = this.input;
    const { requestId } = permit;
    if (permit.release) return this.release({ outcome: 'succeeded' });
    const wasWrong = this.isRetry || permit.single;
    if (wasWrong) await ifThere(this.deps.messenger.callSucceeded(tier.endpointId, { requestId }));
  }

  private release(release: Omit<ReleasePermit, 'requestId'>): Promise<void> {
    const { permit, tier } = this.input;
    return ifThere(this.deps.messenger.release(tier.endpointId, { ...release, requestId: permit.requestId }));
  }

  /**
   * The call has ended by now: its permit goes back from here, since the episode may not be there to do it. A worker
   * that shuts down, or an attempt that Temporal has given up on, leaves the permit to the attempt that follows.
   */
  private async cancelled(error: unknown): Promise<never> {
    const { cancellationDetails } = this.context;
    if (cancellationDetails?.cancelRequested === true || cancellationDetails?.notFound === true) {
      await this.release({ outcome: 'returned', ...(this.isSending ? { mayStillCompute: true } : {}) });
    }
    throw error instanceof CancelledFailure
      ? error
      : new CancelledFailure(String(this.context.cancellationSignal.reason));
  }

  private async failed(error: unknown): Promise<Error> {
    const known = classOf(error);
    // Only where our own deadline cut the call may it be computed on.
    this.progress.mayStillCompute = known?.details.hardTimeout === true;
    this.progress.ended = this.context.info.attempt;
    if (known?.type !== 'EndpointUnavailable') return toApplicationFailure(error);
    const { permit, tier } = this.input;
    const { policy, endpointId } = tier;
    this.progress.failed += 1;
    this.beat();
    const waitMs = this.waitMs(known.details.retryAfterMs);
    const isHard = policy.failureStrategy === 'failover' && known.details.hardTimeout === true;
    const isExhausted =
      isHard || permit.single || this.progress.failed > policy.retriesBeforeTrip || this.isCeilingReached(waitMs);
    this.isSending = false;
    const isFirst = this.progress.failed === 1 && policy.failureStrategy === 'hold';
    if (isFirst && !isExhausted) {
      const reason = [known.details.code, known.details.status].filter((fact) => fact !== undefined).join(' ');
      await ifThere(this.deps.messenger.callFailed(endpointId, { requestId: permit.requestId, reason }));
    }
    return toApplicationFailure(error, isExhausted ? undefined : waitMs);
  }

  /** As the schedule says; longer where an overloaded service asks for it, up to the schedule's longest wait. */
  private waitMs(askedMs = 0): number {
    const { policy } = this.input.tier;
    const plainMs = 1000 * backoffSec(policy, Math.max(1, this.progress.failed));
    const longestMs = 1000 * Math.max(...policy.backoffScheduleSec);
    const waitMs = Math.max(plainMs, Math.min(askedMs, longestMs));
    return Math.round(waitMs * (1 + (policy.jitter ?? 0) * this.deps.random()));
  }
}
