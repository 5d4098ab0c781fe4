import path from 'node:path';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { z } from 'zod';
import { outcomePages, readBatchRecord } from '../../activities/corpus/batch-record.js';
import { batchInputSchema, episodeReportSchema, type BatchInput, type EpisodeReport } from '../../src/batch.js';
import { endpointWorkflowId } from '../../src/messages.js';
import { runPlanSchema, type RunPlan } from '../../src/run-plan.js';
import type { BatchReport } from '../batch-outcome.js';
import { CommandError } from '../command-error.js';
import { endpointViewOf } from '../endpoint-view.js';
import { noSuchBatch, outcomeOf, queryStatus } from '../follow-batch.js';
import { endpointTimeline, stateSpans } from './endpoint-timeline.js';
import { episodeTimeline } from './episode-timeline.js';
import type { EndpointFacts, EpisodeFacts, Period, ReportFacts } from './facts.js';
import { fetchBatchRuns, fetchEpisodeRuns, fetchRuns, inParallel } from './fetch-histories.js';
import type { RunEvent } from './run-events.js';

/** Episodes whose histories are read; of more, those that began last. */
const timelinesAtMost = 3000;

export interface FetchOptions {
  readonly nowMs: number;
  /** Where the batch's record may be once the server has forgotten the batch. */
  readonly corpusDir: string;
}

/** Everything that is known of a batch, wherever it is known. @throws {CommandError} when nobody knows the batch */
export async function fetchFacts(client: Client, batchId: string, options: FetchOptions): Promise<ReportFacts> {
  const runs = await fetchBatchRuns(client, batchId);
  const [first] = runs.flat();
  if (first === undefined) return factsOfRecord(batchId, options);
  const { input, plan } = orderOf(runs);
  const standing = await standingOf(client, batchId, runs);
  const period = periodOf(runs, options.nowMs);
  const corpusDir = standing.corpusDir ?? plan?.corpusDir;
  const gaps = [...standing.gaps];
  const episodes = await episodesOf(client, { batchId, period, corpusDir, known: standing.episodes, gaps });
  const endpoints = await endpointsOf(client, { plan, episodes, period });
  return {
    ...standing,
    batchId,
    takenAtMs: options.nowMs,
    period,
    isOpen: isOpen(runs),
    states: stateSpans(batchStates(runs), period),
    ...(input === undefined ? {} : { input }),
    ...(plan === undefined ? {} : { plan }),
    ...(corpusDir === undefined ? {} : { corpusDir }),
    episodes,
    endpoints,
    gaps,
  };
}

/** The server has forgotten it, but its record is the whole account. */
async function factsOfRecord(batchId: string, { corpusDir, nowMs }: FetchOptions): Promise<ReportFacts> {
  const record = await readBatchRecord(path.resolve(corpusDir), batchId).catch(() => undefined);
  if (record === undefined) {
    const { message, exitCode } = noSuchBatch(batchId);
    const place = path.join(corpusDir, 'batches');
    throw new CommandError(`${message} in the server, and no record of it in ${place} (see --corpus-dir)`, exitCode);
  }
  const { episodes, startedAt, finishedAt, ...counts } = record;
  const period = { fromMs: Date.parse(startedAt), toMs: finishedAt === undefined ? nowMs : Date.parse(finishedAt) };
  return {
    ...counts,
    takenAtMs: nowMs,
    period,
    isOpen: false,
    why: `Ended: ${record.done} of ${record.requested} episodes done.`,
    states: [{ state: record.state, ...period }],
    halts: [],
    waitsFor: [],
    notes: [],
    episodes,
    endpoints: [],
    gaps: [
      'The server has forgotten this batch: what follows is its record in the corpus, without times and endpoints.',
    ],
  };
}

interface Order {
  readonly input?: BatchInput;
  readonly plan?: RunPlan;
}

/** The batch's input, and the plan that was made of it: a later run carries it, the first has it from an activity. */
function orderOf(runs: readonly (readonly RunEvent[])[]): Order {
  const starts = runs.flatMap((events) => events.filter((event) => event.kind === 'started'));
  const plans = runs.flatMap((events) => {
    const resolving = events.find((event) => event.kind === 'scheduled' && event.activity === 'resolveRunPlan');
    if (resolving?.kind !== 'scheduled') return [];
    return events.flatMap((event) =>
      event.kind === 'closed' && event.activityId === resolving.activityId ? [event.result] : [],
    );
  });
  const carried = z.object({ carried: z.object({ plan: z.unknown() }) });
  const carriedPlans = starts.map(({ input }) => carried.safeParse(input).data?.carried.plan);
  const plan = [...plans, ...carriedPlans]
    .map((value) => runPlanSchema.safeParse(value))
    .find(({ success }) => success);
  // Without what a run carries to the next; an input that is none was refused, and that is the story of the batch.
  const input = starts
    .map(({ input: given }) => z.object(batchInputSchema.shape).safeParse(given))
    .find(({ success }) => success);
  return {
    ...(input?.data === undefined ? {} : { input: input.data }),
    ...(plan?.data === undefined ? {} : { plan: plan.data }),
  };
}

function isOpen(runs: readonly (readonly RunEvent[])[]): boolean {
  return !(runs.at(-1) ?? []).some(({ kind }) => kind === 'ended');
}

function periodOf(runs: readonly (readonly RunEvent[])[], nowMs: number): Period {
  const events = runs.flat();
  const fromMs = events[0]?.atMs ?? nowMs;
  const lastMs = events.at(-1)?.atMs ?? nowMs;
  return { fromMs, toMs: isOpen(runs) ? Math.max(nowMs, lastMs) : lastMs };
}

function batchStates(runs: readonly (readonly RunEvent[])[]): { atMs: number; state: string }[] {
  return runs.flat().flatMap((event, index) => {
    if (index === 0) return [{ atMs: event.atMs, state: 'running' }];
    const state = event.kind === 'attributes' ? event.values['HoldfastState'] : undefined;
    return typeof state === 'string' ? [{ atMs: event.atMs, state }] : [];
  });
}

type Standing = Omit<
  ReportFacts,
  'batchId' | 'takenAtMs' | 'period' | 'isOpen' | 'states' | 'input' | 'plan' | 'endpoints' | 'episodes'
> & { readonly episodes: readonly EpisodeReport[] };

async function standingOf(client: Client, batchId: string, runs: readonly (readonly RunEvent[])[]): Promise<Standing> {
  const nothing = { halts: [], waitsFor: [], notes: [], gaps: [], findings: [] };
  if (!isOpen(runs)) {
    const { report } = await outcomeOf(client, batchId);
    return { ...nothing, ...pick(report), episodes: report.episodes };
  }
  const status = await queryStatus(client, batchId).catch((error: unknown) => {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  });
  if (status === undefined) {
    const none = { requested: 0, done: 0, failed: 0, skipped: 0, remaining: 0 };
    const why = 'The batch is open, but no worker answers for it: start `holdfast worker` or `holdfast up`.';
    return { ...nothing, ...none, state: 'running', why, episodes: [], gaps: [why] };
  }
  const { state, why, requested, done, failed, skipped, remaining, halts, endpoints, notes } = status;
  const counts = { requested, done, failed, skipped, remaining };
  return { ...nothing, ...counts, state, why, halts, notes, waitsFor: endpoints, episodes: [] };
}

function pick(
  report: BatchReport,
): Pick<BatchReport, 'state' | 'why' | 'findings'> &
  Omit<Standing, 'halts' | 'waitsFor' | 'notes' | 'gaps' | 'episodes'> {
  const { state, why, findings, requested, done, failed, skipped, remaining, corpusDir } = report;
  const place = corpusDir === undefined ? {} : { corpusDir };
  return { state, why, findings, requested, done, failed, skipped, remaining, ...place };
}

interface EpisodeQuery {
  readonly batchId: string;
  readonly period: Period;
  readonly corpusDir: string | undefined;
  /** From the record of a batch that has ended. */
  readonly known: readonly EpisodeReport[];
  readonly gaps: string[];
}

async function episodesOf(client: Client, query: EpisodeQuery): Promise<EpisodeFacts[]> {
  const { batchId, period, corpusDir, known, gaps } = query;
  const { found, runs } = await fetchEpisodeRuns(client, batchId, { sinceMs: period.fromMs, atMost: timelinesAtMost });
  if (found > runs.length) gaps.push(`Times are shown for the last ${runs.length} of ${found} episodes.`);
  const episodes = new Map<string, EpisodeFacts>();
  const recorded = known.length > 0 || corpusDir === undefined ? known : await recordedSoFar(corpusDir, batchId);
  for (const { workflowId, events } of runs) {
    const facts = episodeOf(events, period.toMs);
    if (facts !== undefined) episodes.set(facts.episodeId, facts);
    else gaps.push(`The history of ${workflowId} is gone.`);
  }
  let timeless = 0;
  for (const report of recorded) {
    const seen = episodes.get(report.episodeId);
    if (seen === undefined && report.state !== 'remaining') timeless += 1;
    episodes.set(report.episodeId, { ...seen, ...report });
  }
  if (timeless > 0 && found === runs.length) {
    gaps.push(`The server has no history of ${timeless} episodes (any more): no times are shown for them.`);
  }
  return [...episodes.values()];
}

/** Of a batch that runs, what has ended; only where its corpus is on this machine. */
async function recordedSoFar(corpusDir: string, batchId: string): Promise<EpisodeReport[]> {
  const reports: EpisodeReport[] = [];
  try {
    for await (const page of outcomePages(corpusDir, batchId)) reports.push(...page.episodes);
  } catch {
    // A page that is damaged is `verify`'s business; the histories are there all the same.
  }
  return reports;
}

const episodeInput = z.object({
  episode: z.object({ episodeId: z.string(), feedId: z.string(), title: z.string() }),
});

function episodeOf(events: readonly RunEvent[], nowMs: number): EpisodeFacts | undefined {
  const timeline = episodeTimeline(events, nowMs);
  const start = events.find((event) => event.kind === 'started');
  const known = episodeInput.safeParse(start?.input);
  if (timeline === undefined || !known.success) return undefined;
  const end = events.find((event) => event.kind === 'ended');
  const report = episodeReportSchema.safeParse(end?.result);
  if (report.success) return { ...report.data, timeline };
  const { episode } = known.data;
  if (end === undefined) return { ...episode, state: 'inWork', stages: [], timeline };
  const isStopped = end.how === 'cancelled';
  const reason = isStopped ? 'cancelled' : (end.message ?? `${end.how} by an operator`);
  return { ...episode, state: isStopped ? 'remaining' : 'failed', reason, stages: [], timeline };
}

interface EndpointQuery {
  readonly plan: RunPlan | undefined;
  readonly episodes: readonly EpisodeFacts[];
  readonly period: Period;
}

async function endpointsOf(client: Client, { plan, episodes, period }: EndpointQuery): Promise<EndpointFacts[]> {
  const used = episodes.flatMap(({ timeline }) => timeline?.spans.flatMap(({ endpointId }) => endpointId ?? []) ?? []);
  const ids = [...new Set([...Object.keys(plan?.endpoints ?? {}), ...used])].sort();
  return inParallel(ids, async (endpointId) => {
    const [runs, view] = await Promise.all([
      fetchRuns(client, endpointWorkflowId(endpointId), period.fromMs),
      endpointViewOf(client, endpointId),
    ]);
    const capacity = view?.capacity ?? plan?.endpoints[endpointId]?.capacity ?? 1;
    const current = view === undefined ? {} : { view };
    return { endpointId, capacity, ...endpointTimeline(runs, period), ...current };
  });
}
