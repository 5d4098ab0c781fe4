import { ApplicationFailure, CancellationScope, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { EpisodeActivities, RunFacts, StageOutput } from '../activities/contracts.js';
import type { AudioRef, BlobRef } from '../src/artifact.js';
import type { EpisodeReport, StageReport } from '../src/batch.js';
import { failureTypeSchema } from '../src/failure.js';
import { processEpisodeInputSchema, type ProcessEpisodeInput } from '../src/messages.js';
import { parseInput } from '../src/parse-input.js';
import { stages, type Stage } from '../src/stage.js';
import { EpisodeState, batchWorkflowIdOf } from './episode-state.js';
import { PermitDesk } from './permit-desk.js';
import { factsOf } from './run-facts.js';
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
  const desk: PermitDesk = new PermitDesk(batch.id, () => state.loneHalt);
  const state = new EpisodeState(batch.isAlone);
  const parsed = parseInput(processEpisodeInputSchema, input);
  if (!parsed.ok) throw ApplicationFailure.nonRetryable(`processEpisode input: ${parsed.faults}`, 'InvalidInput');
  const run = new EpisodeRun(parsed.value, state, desk);
  try {
    return await run.finish();
  } catch (error) {
    if (isCancellation(error)) throw error;
    throw await run.fail(error);
  } finally {
    await desk.leave();
  }
}

class EpisodeRun {
  private readonly facts: RunFacts;
  private readonly outputs: StageOutput[] = [];
  private audio: AudioRef | undefined;

  constructor(
    private readonly input: ProcessEpisodeInput,
    private readonly state: EpisodeState,
    private readonly desk: PermitDesk,
  ) {
    this.facts = factsOf(input.plan);
  }

  async finish(): Promise<EpisodeReport> {
    const { episode, plan } = this.input;
    const enabled = stages.filter((stage) => plan.stages[stage].enabled);
    await this.state.untilResumed();
    const chains = enabled.map((stage) => ({ stage, tiers: plan.stages[stage].chain }));
    const { audio, finished } = await prepareEpisode({ facts: this.facts, episode, chains });
    this.audio = audio;
    const pending = enabled.filter((stage) => !finished.some((output) => output.stage === stage));
    for (const stage of stages) {
      this.state.stage = stage;
      const output = finished.find((known) => known.stage === stage);
      if (!enabled.includes(stage))
        this.state.reports.push({ stage, outcome: 'skipped', reason: 'not in the plan', attempts: 0 });
      else this.keep(output ?? (await this.runStage(stage, pending, audio)));
    }
    const report = this.report('done');
    await publishEpisode({ facts: this.facts, episode, report, audio, outputs: this.outputs });
    return report;
  }

  private async runStage(stage: Stage, pending: readonly Stage[], audio: AudioRef): Promise<StageOutput> {
    const { plan, episode } = this.input;
    this.state.show('running');
    const next = pending[pending.indexOf(stage) + 1];
    const nextEndpointId = next === undefined ? undefined : plan.stages[next].chain[0]?.endpointId;
    const documents: Partial<Record<Stage, BlobRef>> = {};
    for (const output of this.outputs) documents[output.stage] = output.document;
    const { facts, state, desk } = this;
    const work = { plan, facts, episode, audio, documents, state, desk, batch: batchWorkflowIdOf() };
    return new StageRun(work, stage, nextEndpointId).run();
  }

  private keep(output: StageOutput): void {
    this.outputs.push(output);
    const { stage, outcome, optionId, endpointId, modelReported, attempts, degraded } = output;
    const reason = degraded === undefined ? {} : { reason: degraded };
    this.state.reports.push({ stage, outcome, ...reason, optionId, endpointId, modelReported, attempts });
  }

  /** Records the failure in the corpus and returns what the workflow fails with. */
  async fail(error: unknown): Promise<ApplicationFailure> {
    const cause = error instanceof Error && error.cause instanceof ApplicationFailure ? error.cause : error;
    const type = failureTypeSchema.safeParse(cause instanceof ApplicationFailure ? cause.type : undefined);
    const reason = cause instanceof Error ? cause.message : String(cause);
    const { stage } = this.state;
    if (stage !== undefined && this.audio !== undefined) {
      this.state.reports.push({ stage, outcome: 'failed', reason, attempts: 0 });
    }
    const report = this.report('failed', { reason, ...(type.success ? { failureType: type.data } : {}) });
    const record = { facts: this.facts, episode: this.input.episode, report, outputs: this.outputs };
    const audio = this.audio === undefined ? {} : { audio: this.audio };
    // Where even this cannot be written (a full disk), the episode's own reason is what counts.
    await CancellationScope.nonCancellable(() => publishEpisode({ ...record, ...audio })).catch(() => undefined);
    return ApplicationFailure.nonRetryable(reason, type.success ? type.data : 'EpisodeFailed', report);
  }

  private report(state: 'done' | 'failed', why: Pick<EpisodeReport, 'reason' | 'failureType'> = {}): EpisodeReport {
    const { episodeId, feedId, title } = this.input.episode;
    const reports: StageReport[] = [...this.state.reports];
    const missing = stages.filter((stage) => !reports.some((report) => report.stage === stage));
    for (const stage of missing) reports.push({ stage, outcome: 'skipped', reason: 'not reached', attempts: 0 });
    return { episodeId, feedId, title, state, ...why, stages: reports };
  }
}
