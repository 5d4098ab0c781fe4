import {
  ApplicationFailure,
  CancellationScope,
  allHandlersFinished,
  condition,
  continueAsNew,
  isCancellation,
  proxyActivities,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { BatchActivities } from '../activities/contracts.js';
import type { BatchCounts, BatchState, EpisodeReport } from '../src/batch.js';
import { withoutFullStop, type SetUpStep } from '../src/batch-status.js';
import { refusalForBudget } from '../src/call-budget.js';
import {
  batchIdOf,
  episodeWorkflowId,
  reprocessBatchInputSchema,
  type BatchCarry,
  type ReprocessBatchInput,
} from '../src/messages.js';
import { parseInput } from '../src/parse-input.js';
import { BatchControl, type BatchReactions } from './batch-control.js';
import { EpisodeWindow, type EpisodeEnd } from './episode-window.js';
import { episodeGoneSignal, resumeBatchSignal } from './message-definitions.js';
import { factsOf } from './run-facts.js';
import { ignoreCancellation } from './ignore-cancellation.js';
import { keys } from './search-attribute-keys.js';
import { tellEndpoints } from './tell-endpoints.js';

const defaultWindow = 6;
/** Episodes in one run; then the window drains and the batch continues as new, far below any limit of history. */
const episodesPerRun = 250;
const episodesPerPage = 50;
const failuresShown = 20;

const setUp = proxyActivities<BatchActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '1m',
  retry: { initialInterval: '10s', backoffCoefficient: 2, maximumInterval: '120s', maximumAttempts: 4 },
});
const bookKeeping = proxyActivities<BatchActivities>({
  startToCloseTimeout: '2h',
  heartbeatTimeout: '1m',
  retry: { initialInterval: '1s', maximumInterval: '30s', maximumAttempts: 10 },
});

/** What a finished batch answers. `record` is the path of the whole account, by id. */
export interface BatchResult extends BatchCounts {
  readonly batchId: string;
  readonly state: BatchState;
  readonly record: string;
  readonly findings: readonly string[];
}

/**
 * One run over many episodes (design.md section 8). Input is `BatchInput` (`docs/batch.schema.json`); bad input fails
 * at once and names every fault. A failed episode never stops the batch. Ends as completed when every episode has been
 * tried; fails as `BatchAborted`, `ResilienceFuseOpen` (unattended halt) or `BatchFailed` (the corpus is mixed).
 */
export async function reprocessBatch(input: ReprocessBatchInput): Promise<BatchResult> {
  const run = new BatchRun();
  const parsed = parseInput(reprocessBatchInputSchema, input);
  if (!parsed.ok) throw ApplicationFailure.nonRetryable(`reprocessBatch input: ${parsed.faults}`, 'InvalidInput');
  const { value } = parsed;
  if (value.profile !== undefined && value.config !== undefined) {
    throw ApplicationFailure.nonRetryable('reprocessBatch input: give profile or config, not both', 'InvalidInput');
  }
  return run.run(value);
}

class BatchRun {
  private carry: BatchCarry | undefined;
  private episodes: EpisodeWindow | undefined;
  private readonly reports: EpisodeReport[] = [];
  private startedHere = 0;
  private readonly scope = new CancellationScope({ cancellable: true });
  private haltExpired = false;
  private settingUp: SetUpStep | undefined;
  private readonly control = new BatchControl({
    stop: async () => this.episodes?.tellAll('pause'),
    goOn: (endpointIds) => this.goOn(endpointIds),
    abort: () => this.scope.cancel(),
    tally: () => this.tally(),
    about: () => this.about(),
  });

  async run(input: ReprocessBatchInput): Promise<BatchResult> {
    const carry = input.carried ?? (await this.open(input));
    this.carry = carry;
    this.control.begin(carry);
    this.episodes = new EpisodeWindow(carry.plan, (end) => this.onEnd(end, input));
    if (input.haltTimeoutSec !== undefined) void this.watchHalts(input.haltTimeoutSec).catch(ignoreCancellation);
    this.control.show();
    try {
      await this.scope.run(() => this.processAll(carry, input));
    } catch (error) {
      if (!isCancellation(error)) throw error;
      return await CancellationScope.nonCancellable(() => this.endEarly(error));
    }
    if (carry.offset < carry.counts.requested) return this.rollOver(input, carry);
    return this.end(carry);
  }

  /** Plan, checks and list of episodes, once; later runs carry them. */
  private async open(input: ReprocessBatchInput): Promise<BatchCarry> {
    const { carried, ...batch } = input;
    const startedAtMs = Date.now();
    this.setsUp('resolving the plan');
    const plan = await setUp.resolveRunPlan({ batchId: batchIdOf(workflowInfo().workflowId), input: batch });
    // However it was started: `temporal workflow start` alone sets none of them.
    upsertSearchAttributes([
      { key: keys.state, value: 'running' },
      { key: keys.batch, value: plan.batchId },
      { key: keys.profile, value: plan.profile },
    ]);
    this.setsUp('checking the tiers');
    const notes = [...(await setUp.preflight({ plan })).notes];
    this.setsUp('listing the episodes');
    const { manifest, requested } = await setUp.listEpisodes({ plan, input: batch });
    this.settingUp = undefined;
    const counts = { requested, done: 0, failed: 0, skipped: 0 };
    const window = input.window ?? defaultWindow;
    const begun = { offset: 0, page: 0, paused: false, failures: [], unknownMessages: [] };
    return { plan, manifest, ...begun, counts, window, startedAtMs, notes };
  }

  private setsUp(step: SetUpStep): void {
    this.settingUp = step;
    this.control.show();
  }

  private async processAll(carry: BatchCarry, input: ReprocessBatchInput): Promise<void> {
    const { episodes, control } = this;
    if (episodes === undefined) return;
    const { corpusDir } = carry.plan;
    while (carry.offset < carry.counts.requested && !this.isRolloverDue()) {
      const { manifest, offset } = carry;
      const page = await setUp.readEpisodes({ corpusDir, manifest, offset, limit: episodesPerPage });
      for (const episode of page) {
        await condition(() => !control.isStopped && episodes.size < control.window + control.witnesses);
        const refusal = refusalForBudget(carry, episode);
        if (refusal !== undefined) this.onEnd({ report: refusal, vanished: false }, input);
        else await episodes.start(episode, () => control.isStopped);
        carry.offset += 1;
        this.startedHere += 1;
      }
      await this.record(carry, episodesPerPage);
    }
    await episodes.untilEmpty();
    await this.record(carry, 1);
    // A halt is not carried from run to run.
    if (carry.offset < carry.counts.requested) await condition(() => !control.isHalted);
  }

  private isRolloverDue(): boolean {
    return this.startedHere >= episodesPerRun || workflowInfo().continueAsNewSuggested;
  }

  private onEnd(end: EpisodeEnd, input: ReprocessBatchInput): void {
    const { carry } = this;
    if (carry === undefined) return;
    const { report } = end;
    this.reports.push(report);
    if (report.state !== 'remaining') carry.counts[report.state] += 1;
    carry.llmCalls = (carry.llmCalls ?? 0) + (report.llmCalls ?? 0);
    if (report.state === 'failed') {
      carry.failures.push({ episodeId: report.episodeId, reason: report.reason ?? 'failed' });
      carry.failures.splice(0, carry.failures.length - failuresShown);
    }
    if (end.vanished) void this.tellEndpointsOf(report.episodeId, carry);
    const { haltOnFailedShare } = input;
    const newlyFailed = carry.counts.failed - (carry.failedAtResume ?? 0);
    if (haltOnFailedShare !== undefined && newlyFailed >= haltOnFailedShare * carry.counts.requested) {
      void this.control.haltForFailures();
    }
    this.control.show();
  }

  /** A terminated episode cannot give its permits back. */
  private async tellEndpointsOf(episodeId: string, carry: BatchCarry): Promise<void> {
    const workflowId = episodeWorkflowId(carry.plan.batchId, episodeId);
    await tellEndpoints({ endpointIds: Object.keys(carry.plan.endpoints), signal: episodeGoneSignal, workflowId });
  }

  private async goOn(endpointIds: readonly string[]): Promise<void> {
    const { carry } = this;
    if (carry !== undefined) carry.failedAtResume = carry.counts.failed;
    // Episodes first: one that is granted a permit while it still takes itself for paused would give it back.
    await this.episodes?.tellAll('resume');
    const { workflowId } = workflowInfo();
    await tellEndpoints({ endpointIds, signal: resumeBatchSignal, workflowId });
  }

  /** Ends an unattended halt. */
  private async watchHalts(haltTimeoutSec: number): Promise<void> {
    for (;;) {
      await condition(() => this.control.isHalted);
      const { haltNumber } = this.control;
      await sleep(haltTimeoutSec * 1000, { summary: 'unattended halt' });
      if (!this.control.isHalted || this.control.haltNumber !== haltNumber) continue;
      this.haltExpired = true;
      this.scope.cancel();
      return;
    }
  }

  private async record(carry: BatchCarry, atLeast: number): Promise<void> {
    if (this.reports.length < atLeast) return;
    const reports = this.reports.splice(0);
    await bookKeeping.recordEpisodes({ facts: factsOf(carry.plan), page: carry.page, reports });
    carry.page += 1;
  }

  private async rollOver(input: ReprocessBatchInput, carry: BatchCarry): Promise<never> {
    await condition(allHandlersFinished);
    const { window, isPaused, unknown, lastOrder } = this.control;
    const order = lastOrder === undefined ? {} : { lastOrder };
    const carried = { ...carry, window, paused: isPaused, unknownMessages: [...unknown], ...order };
    return continueAsNew<typeof reprocessBatch>({ ...input, carried });
  }

  private async end(carry: BatchCarry): Promise<BatchResult> {
    // Some remain where an operator cancelled episodes by Temporal's own means: not everything is done.
    const { failed, remaining } = this.tally();
    const result = await this.close(carry, failed + remaining > 0 ? 'failed' : 'completed');
    if (result.findings.length > 0 && carry.plan.failureStrategy === 'hold') {
      const shown = result.findings.slice(0, 5).join('; ');
      throw ApplicationFailure.nonRetryable(`the corpus is not what was planned: ${shown}`, 'BatchFailed', result);
    }
    await condition(allHandlersFinished);
    return result;
  }

  /** After abort, an expired halt, or a cancellation by Temporal: what ran is stopped, and the account is written. */
  private async endEarly(error: unknown): Promise<never> {
    const { carry } = this;
    if (carry === undefined) throw error;
    await this.episodes?.untilEmpty();
    await this.record(carry, 1);
    const isOurs = this.control.state === 'aborting' || this.haltExpired;
    const result = await this.close(carry, isOurs ? 'aborted' : 'cancelled');
    await condition(allHandlersFinished);
    if (this.haltExpired)
      throw ApplicationFailure.nonRetryable('halted, and nobody came', 'ResilienceFuseOpen', result);
    const { reason } = this.control.lastOrder ?? {};
    const why = reason === undefined ? '' : `: ${withoutFullStop(reason)}`;
    if (isOurs) throw ApplicationFailure.nonRetryable(`aborted by an operator${why}`, 'BatchAborted', result);
    throw error;
  }

  private async close(carry: BatchCarry, state: BatchState): Promise<BatchResult> {
    const { plan, manifest, startedAtMs } = carry;
    const { batchId, requested, done, failed, skipped, remaining } = this.tally();
    const counts = { requested, done, failed, skipped, remaining };
    const { record, findings } = await bookKeeping.closeBatch({ plan, manifest, counts, state, startedAtMs });
    this.control.end(state);
    return { batchId, state, ...counts, record, findings };
  }

  private tally(): ReturnType<BatchControl['progress']> {
    const counts = this.carry?.counts ?? { requested: 0, done: 0, failed: 0, skipped: 0 };
    const remaining = counts.requested - counts.done - counts.failed - counts.skipped;
    const { state, window } = { state: this.control.ended ?? 'running', window: this.control.window } as const;
    const batchId = batchIdOf(workflowInfo().workflowId);
    return { batchId, state, window, ...counts, remaining, inWork: this.episodes?.inWork ?? [] };
  }

  private about(): ReturnType<BatchReactions['about']> {
    const { carry, settingUp } = this;
    const step = settingUp === undefined ? {} : { settingUp };
    if (carry === undefined) return { ...step, lastFailures: [], notes: [] };
    const { profile, failureStrategy, corpusDir } = carry.plan;
    return { profile, failureStrategy, corpusDir, ...step, lastFailures: carry.failures, notes: carry.notes ?? [] };
  }
}
