import { ChildWorkflowFailure, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ApplicationFailure,
  CancelledFailure,
  TerminatedFailure,
  condition,
  getExternalWorkflowHandle,
  sleep,
  startChild,
  type ChildWorkflowHandle,
} from '@temporalio/workflow';
import { episodeReportSchema, type EpisodeReport } from '../src/batch.js';
import { failureTypeSchema } from '../src/failure.js';
import type { EpisodeRef } from '../src/episode.js';
import { episodeWorkflowId } from '../src/messages.js';
import type { RunPlan } from '../src/run-plan.js';
import { pauseSignal, resumeSignal } from './message-definitions.js';
import type { processEpisode } from './process-episode.js';
import { keys } from './search-attribute-keys.js';

/** How a child ended that was not left to finish. */
export interface EpisodeEnd {
  readonly report: EpisodeReport;
  /** It could not clean up after itself: its permits must be asked after. */
  readonly vanished: boolean;
}

/** The episodes in work: children of the batch, started in order, at most so many at once. */
export class EpisodeWindow {
  private readonly running = new Map<string, ChildWorkflowHandle<typeof processEpisode> | undefined>();

  constructor(
    private readonly plan: RunPlan,
    private readonly onEnd: (end: EpisodeEnd) => void,
  ) {}

  get inWork(): readonly string[] {
    return [...this.running.keys()];
  }

  get size(): number {
    return this.running.size;
  }

  /** Starts the episode's workflow and returns once it is under way; its end is reported to `onEnd`. */
  async start(episode: EpisodeRef, isStopped: () => boolean): Promise<void> {
    const { plan } = this;
    this.running.set(episode.episodeId, undefined);
    try {
      const child = await startWhenFree(episode, plan);
      this.running.set(episode.episodeId, child);
      if (isStopped()) await tell(child, 'pause');
      void this.follow(episode, child.result());
    } catch (error) {
      void this.follow(episode, Promise.reject(asError(error)));
    }
  }

  async untilEmpty(): Promise<void> {
    await condition(() => this.running.size === 0);
  }

  async tellAll(order: 'pause' | 'resume'): Promise<void> {
    const children = [...this.running.values()].filter((child) => child !== undefined);
    await Promise.all(children.map((child) => tell(child, order)));
  }

  private async follow(episode: EpisodeRef, result: Promise<EpisodeReport>): Promise<void> {
    const end = await result.then(
      (report): EpisodeEnd => ({ report, vanished: false }),
      (error: unknown) => endOf(episode, error),
    );
    this.running.delete(episode.episodeId);
    this.onEnd(end);
  }
}

/**
 * Starts the episode's workflow. After a reset of the batch, one of the run before may be in work still, and reports to
 * nobody: it is told to stop, and what it has finished is found by the new one.
 */
async function startWhenFree(episode: EpisodeRef, plan: RunPlan): Promise<ChildWorkflowHandle<typeof processEpisode>> {
  const workflowId = episodeWorkflowId(plan.batchId, episode.episodeId);
  for (;;) {
    try {
      return await startEpisode(episode, plan);
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      // One that has just ended need not be told.
      await getExternalWorkflowHandle(workflowId)
        .cancel()
        .catch(() => undefined);
      await sleep('2s', { summary: `${episode.episodeId} of the run before ends` });
    }
  }
}

function startEpisode(episode: EpisodeRef, plan: RunPlan): Promise<ChildWorkflowHandle<typeof processEpisode>> {
  return startChild<typeof processEpisode>('processEpisode', {
    workflowId: episodeWorkflowId(plan.batchId, episode.episodeId),
    args: [{ episode, plan: planForEpisode(plan) }],
    // A batch that is cancelled, terminated or continued as new takes its episodes with it, in an orderly way.
    parentClosePolicy: 'REQUEST_CANCEL',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    staticSummary: episode.title.slice(0, 150),
    typedSearchAttributes: [
      { key: keys.state, value: 'running' },
      { key: keys.batch, value: plan.batchId },
      { key: keys.profile, value: plan.profile },
    ],
  });
}

/** The store has the whole plan; what only activities read of it need not stand in every episode's history. */
function planForEpisode(plan: RunPlan): RunPlan {
  return plan.digest === undefined ? plan : { ...plan, endpoints: {} };
}

async function tell(child: ChildWorkflowHandle<typeof processEpisode>, order: 'pause' | 'resume'): Promise<void> {
  // One that has just ended hears nothing, and need not.
  await child.signal(order === 'pause' ? pauseSignal : resumeSignal, {}).catch(() => undefined);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function endOf(episode: EpisodeRef, error: unknown): EpisodeEnd {
  const { episodeId, feedId, title } = episode;
  const report = { episodeId, feedId, title, stages: [] };
  const cause = error instanceof ChildWorkflowFailure ? error.cause : error;
  if (cause instanceof CancelledFailure || error instanceof CancelledFailure) {
    return { vanished: false, report: { ...report, state: 'remaining', reason: 'cancelled' } };
  }
  if (cause instanceof ApplicationFailure) {
    const own = episodeReportSchema.safeParse(cause.details?.[0]);
    const type = failureTypeSchema.safeParse(cause.type);
    const why = { reason: cause.message, ...(type.success ? { failureType: type.data } : {}) };
    return { vanished: false, report: own.success ? own.data : { ...report, state: 'failed', ...why } };
  }
  const reason = cause instanceof TerminatedFailure ? 'terminated by an operator' : asError(cause).message;
  return { vanished: true, report: { ...report, state: 'failed', reason } };
}
