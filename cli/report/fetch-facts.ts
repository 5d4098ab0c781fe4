import path from 'node:path';
import type { Client } from '@temporalio/client';
import { readBatchRecord } from '../../activities/corpus/batch-record.js';
import type { BatchCounts, EpisodeReport } from '../../src/batch.js';
import { batchWorkflowId, endpointWorkflowId } from '../../src/messages.js';
import type { RunPlan } from '../../src/run-plan.js';
import { accountedEpisodes } from '../batch-outcome.js';
import { CommandError } from '../command-error.js';
import { endpointViewOf } from '../endpoint-view.js';
import { noSuchBatch, outcomeOf, queryStatus } from '../follow-batch.js';
import { BatchHistory } from './batch-history.js';
import { endpointTimeline } from './endpoint-timeline.js';
import type { EndpointFacts, EpisodeFacts, Period, ReportFacts } from './facts.js';
import { fetchEpisodes } from './fetch-episodes.js';
import { fetchRuns, inParallel } from './fetch-histories.js';

export interface FetchOptions {
  readonly nowMs: number;
  /** Where the batch's record may be once the server has forgotten the batch. */
  readonly corpusDir: string;
}

/** Everything that is known of a batch, wherever it is known. @throws {CommandError} when nobody knows the batch */
export async function fetchFacts(client: Client, batchId: string, options: FetchOptions): Promise<ReportFacts> {
  const { nowMs } = options;
  const history = new BatchHistory(await fetchRuns(client, batchWorkflowId(batchId)), nowMs);
  if (history.isEmpty) return factsOfRecord(batchId, options);
  const { period, plan, input, isOpen, states } = history;
  const standing = await standingOf(client, batchId, history);
  const corpusDir = standing.corpusDir ?? plan?.corpusDir;
  const { recorded, counts, gaps: unsaid, ...said } = standing;
  const { episodes, gaps } = await fetchEpisodes(client, { batchId, period, corpusDir, recorded });
  return {
    ...{ batchId, takenAtMs: nowMs, period, isOpen, states, ...said },
    ...(counts ?? countsOf(history.requested, episodes)),
    ...(input === undefined ? {} : { input }),
    ...(plan === undefined ? {} : { plan }),
    ...(corpusDir === undefined ? {} : { corpusDir }),
    episodes,
    endpoints: await endpointsOf(client, { plan, episodes, period }),
    gaps: [...unsaid, ...gaps],
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
  const { episodes, startedAt, finishedAt, profile: _profile, ...account } = record;
  const period = { fromMs: Date.parse(startedAt), toMs: finishedAt === undefined ? nowMs : Date.parse(finishedAt) };
  return {
    ...{ ...account, takenAtMs: nowMs, period, isOpen: false, episodes },
    why: `Ended: ${record.done} of ${record.requested} episodes done.`,
    states: [{ state: record.state, ...period }],
    ...{ halts: [], waitsFor: [], notes: [], endpoints: [] },
    gaps: ['The server has forgotten this batch: this is its record in the corpus, without times and endpoints.'],
  };
}

/** What the batch, or its end, says of itself. */
interface Standing extends Pick<ReportFacts, 'state' | 'why' | 'halts' | 'waitsFor' | 'notes' | 'findings' | 'gaps'> {
  /** Absent where nobody says. */
  readonly counts?: BatchCounts;
  readonly corpusDir?: string;
  readonly isSilent?: true;
  readonly recorded: readonly EpisodeReport[];
}

async function standingOf(client: Client, batchId: string, history: BatchHistory): Promise<Standing> {
  const nothing = { halts: [], waitsFor: [], notes: [], findings: [], gaps: [], recorded: [] };
  if (!history.isOpen) {
    const { report } = await outcomeOf(client, batchId);
    const { state, why, findings, corpusDir, requested, done, failed, skipped, remaining } = report;
    const recorded = accountedEpisodes(report);
    // Without an account (it was terminated, or never got as far) the histories tell.
    const counts = requested === 0 ? {} : { counts: { requested, done, failed, skipped, remaining } };
    return { ...nothing, state, why, findings, recorded, ...counts, ...(corpusDir === undefined ? {} : { corpusDir }) };
  }
  const status = await queryStatus(client, batchId);
  if (status === undefined) {
    const why = 'It is open, but no worker answers for it: this is how its history left it.';
    return { ...nothing, state: history.lastState, why, isSilent: true };
  }
  const { state, why, requested, done, failed, skipped, remaining, halts, endpoints: waitsFor, notes } = status;
  return { ...nothing, state, why, halts, waitsFor, notes, counts: { requested, done, failed, skipped, remaining } };
}

function countsOf(requested: number, episodes: readonly EpisodeFacts[]): BatchCounts {
  const count = (state: EpisodeFacts['state']): number => episodes.filter((episode) => episode.state === state).length;
  const [done, failed, skipped] = [count('done'), count('failed'), count('skipped')];
  return { requested, done, failed, skipped, remaining: Math.max(0, requested - done - failed - skipped) };
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
