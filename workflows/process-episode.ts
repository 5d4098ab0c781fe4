import {
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  metricMeter,
  proxyActivities,
} from '@temporalio/workflow';
import type {
  EpisodeActivities,
  FinishedStage,
  PreparedEpisode,
  PublishInput,
  StageTrace,
} from '../activities/contracts.js';
import type { EpisodeReport, StageReport } from '../src/batch.js';
import { failureTypeSchema } from '../src/failure.js';
import { addTo, metrics } from '../src/metrics.js';
import { processEpisodeInputSchema, type ProcessEpisodeInput } from '../src/messages.js';
import { parseInput } from '../src/parse-input.js';
import { stages, type Stage } from '../src/stage.js';
import { EpisodeState, batchWorkflowIdOf } from './episode-state.js';
import { PermitDesk } from './permit-desk.js';
import type { StageDocuments } from '../src/work-order.js';
import { placeOf } from './run-facts.js';
import { StageRun } from './run-stage.js';

/** Fetches are retried for what passes, from 10 s, doubling, at most 120 s; content is never retried (design.md section 3). */
const fetchRetry = {
  initialInterval: '10s',
  backoffCoefficient: 2,
  maximumInterval: '120s',
  maximumAttempts: 4,
} as const;

const { prepareEpisode } = proxyActivities<EpisodeActivities>({
  startToCloseTimeout: '2h',
  heartbeatTimeout: '30s',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: fetchRetry,
  summary: 'audio',
});
const { publishEpisode } = proxyActivities<EpisodeActivities>({
  startToCloseTimeout: '5m',
  retry: { initialInterval: '1s', maximumInterval: '30s', maximumAttempts: 5 },
});

/**
 * One episode through its five stages. Input is `ProcessEpisodeInput`; the result is what became of each stage. Fails
 * with the class that ended it and the report as details; cancellation is passed on.
 */
export async function processEpisode(input: ProcessEpisodeInput): Promise<EpisodeReport> {
  const batch = batchWorkflowIdOf();
  const desk: PermitDesk = new PermitDesk(
    batch.id,
    () => placeOf(input.plan),
    () => state,
  );
  const state = new EpisodeState(batch.isAlone);
  const parsed = parseInput(processEpisodeInputSchema, input);
  if (!parsed.ok) throw ApplicationFailure.nonRetryable(`processEpisode input: ${parsed.faults}`, 'InvalidInput');
  const run = new EpisodeRun(parsed.value, state, desk);
  try {
    const report = await run.finish();
    countEnd('done');
    return report;
  } catch (error) {
    if (isCancellation(error)) {
      countEnd('cancelled');
      throw error;
    }
    const failure = await run.fail(error);
    countEnd('failed', failure.type ?? undefined);
    throw failure;
  } finally {
    state.countHold();
    await desk.leave();
  }
}

function countEnd(outcome: 'done' | 'failed' | 'cancelled', failureType = 'none'): void {
  addTo(metricMeter, metrics.episodesEnded, { labels: { outcome, failure_type: failureType } });
}

class EpisodeRun {
  private readonly finished: FinishedStage[] = [];
  private prepared: PreparedEpisode | undefined;
  private llmCalls: number | undefined;

  constructor(
    private readonly input: ProcessEpisodeInput,
    private readonly state: EpisodeState,
    private readonly desk: PermitDesk,
  ) {}

  async finish(): Promise<EpisodeReport> {
    const { episode, plan } = this.input;
    await this.state.untilResumed();
    this.prepared = await prepareEpisode({ episode, plan: placeOf(plan) });
    const { finished } = this.prepared;
    const isFinished = (stage: Stage): boolean => finished.some((output) => output.stage === stage);
    const pending = stages.filter((stage) => plan.stages[stage].enabled && !isFinished(stage));
    for (const stage of stages) {
      this.state.stage = stage;
      const known = finished.find((output) => output.stage === stage);
      if (known !== undefined) this.keep(known);
      else if (pending.includes(stage)) this.keep(await this.runStage(stage, pending, this.prepared));
      else this.state.stageEnded({ stage, outcome: 'skipped', reason: 'not in the plan', attempts: 0 });
    }
    await this.publish({ state: 'done' });
    return this.report('done');
  }

  private async runStage(stage: Stage, pending: readonly Stage[], prepared: PreparedEpisode): Promise<FinishedStage> {
    const { plan, episode } = this.input;
    const { state, desk } = this;
    state.show('running');
    const next = pending[pending.indexOf(stage) + 1];
    const nextEndpointId = next === undefined ? undefined : plan.stages[next].chain[0]?.endpointId;
    const documents: StageDocuments = {};
    for (const output of this.finished) documents[output.stage] = output.document;
    const order = { corpusDir: plan.corpusDir, sha256: prepared.order };
    const { durationSec } = prepared;
    const work = { plan, episode, order, durationSec, documents, state, desk, batch: batchWorkflowIdOf() };
    return new StageRun(work, stage, nextEndpointId).run();
  }

  private keep(output: FinishedStage): void {
    this.finished.push(output);
    const { stage, outcome, tierIndex, modelReported, attempts, rerolls, degraded } = output;
    const tier = this.input.plan.stages[stage].chain[tierIndex];
    const by = tier === undefined ? {} : { optionId: tier.optionId, endpointId: tier.endpointId };
    const reason = degraded === undefined ? {} : { reason: degraded };
    const again = rerolls === undefined ? {} : { rerolls };
    this.state.stageEnded({ stage, outcome, ...reason, ...by, modelReported, attempts, ...again });
  }

  private async publish(how: Pick<PublishInput, 'state' | 'reason'>): Promise<void> {
    const { episode, plan } = this.input;
    const { prepared } = this;
    const of =
      prepared === undefined ? { episode, plan: placeOf(plan) } : { corpusDir: plan.corpusDir, sha256: prepared.order };
    const traces = this.report(how.state).stages.map(({ stage, outcome, reason }): StageTrace => {
      const made = this.finished.find((output) => output.stage === stage);
      const by = made === undefined ? {} : { tierIndex: made.tierIndex, document: made.document };
      return { stage, outcome, ...(reason === undefined ? {} : { reason }), ...by };
    });
    const { llmCalls } = await publishEpisode({ of, ...how, stages: traces });
    this.llmCalls = llmCalls;
  }

  /** Records the failure in the corpus and returns what the workflow fails with. */
  async fail(error: unknown): Promise<ApplicationFailure> {
    const cause = error instanceof Error && error.cause instanceof ApplicationFailure ? error.cause : error;
    const type = failureTypeSchema.safeParse(cause instanceof ApplicationFailure ? cause.type : undefined);
    const reason = cause instanceof Error ? cause.message : String(cause);
    const { stage } = this.state;
    if (stage !== undefined && this.prepared !== undefined) {
      this.state.stageEnded({ stage, outcome: 'failed', reason, attempts: 0 });
    }
    // Where even this cannot be written (a full disk), the episode's own reason is what counts.
    await CancellationScope.nonCancellable(() => this.publish({ state: 'failed', reason })).catch(() => undefined);
    const report = this.report('failed', { reason, ...(type.success ? { failureType: type.data } : {}) });
    return ApplicationFailure.nonRetryable(reason, type.success ? type.data : 'EpisodeFailed', report);
  }

  private report(state: 'done' | 'failed', why: Pick<EpisodeReport, 'reason' | 'failureType'> = {}): EpisodeReport {
    const { episodeId, feedId, title } = this.input.episode;
    const reports: StageReport[] = [...this.state.reports];
    const missing = stages.filter((stage) => !reports.some((report) => report.stage === stage));
    for (const stage of missing) reports.push({ stage, outcome: 'skipped', reason: 'not reached', attempts: 0 });
    const used = this.llmCalls === undefined ? {} : { llmCalls: this.llmCalls };
    return { episodeId, feedId, title, state, ...why, stages: reports, ...used };
  }
}
