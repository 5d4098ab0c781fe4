import path from 'node:path';
import { ApplicationFailure, CancelledFailure, TerminatedFailure, WorkflowFailedError } from '@temporalio/client';
import { z } from 'zod';
import { readBatchRecord } from '../activities/corpus/batch-record.js';
import { batchCountsSchema, batchStateSchema } from '../src/batch.js';
import type { BatchCounts, BatchRecord, BatchState, EpisodeReport } from '../src/batch.js';
import { withoutFullStop, type BatchStatus } from '../src/batch-status.js';
import { exitCodes, type ExitCode } from './command-error.js';

/** What `--json` prints of a batch (design.md section 9). */
export interface BatchReport {
  readonly batchId: string;
  readonly state: BatchState;
  readonly requested: number;
  readonly done: number;
  readonly failed: number;
  readonly skipped: number;
  readonly remaining: number;
  /** Why it is in this state, in one sentence. */
  readonly why: string;
  readonly profile?: string | undefined;
  readonly failureStrategy?: string | undefined;
  readonly corpusDir?: string | undefined;
  /** Of a batch that is alive: those it waits for. */
  readonly endpoints?: BatchStatus['endpoints'] | undefined;
  readonly lastOrder?: BatchStatus['lastOrder'] | undefined;
  readonly findings: readonly string[];
  readonly episodes: readonly EpisodeLine[];
}

/** Of the account of a batch that has ended. */
export type AccountedEpisode = Pick<EpisodeReport, 'episodeId' | 'feedId' | 'title' | 'state' | 'reason' | 'stages'>;
/** As far as it is known: a batch that is alive has no feeds and titles to tell. */
export type EpisodeLine = Omit<AccountedEpisode, 'feedId' | 'title'> &
  Partial<Pick<AccountedEpisode, 'feedId' | 'title'>>;

/** The episodes of which everything is known. */
export function accountedEpisodes({ episodes }: BatchReport): AccountedEpisode[] {
  return episodes.flatMap(({ feedId, title, ...episode }) =>
    feedId === undefined || title === undefined ? [] : { ...episode, feedId, title },
  );
}

/** How a batch ended, or why nobody waits for it any longer. */
export interface BatchOutcome {
  readonly exitCode: ExitCode;
  readonly report: BatchReport;
}

const resultSchema = batchCountsSchema.extend({
  batchId: z.string(),
  state: batchStateSchema,
  record: z.string(),
  findings: z.array(z.string()),
});
type Result = z.infer<typeof resultSchema>;

const noCounts = { requested: 0, done: 0, failed: 0, skipped: 0, remaining: 0 };

/** The outcome of a batch whose workflow has returned. */
export async function outcomeOfResult(result: unknown): Promise<BatchOutcome> {
  const parsed = resultSchema.parse(result);
  const report = await reportOfResult(parsed, endSentence(parsed));
  return { exitCode: parsed.failed + parsed.remaining > 0 ? exitCodes.failed : exitCodes.allDone, report };
}

function sentence(text: string): string {
  return `${withoutFullStop(text)}.`;
}

function endSentence({ requested, done, failed, skipped, remaining }: BatchCounts): string {
  const others = Object.entries({ failed, skipped, remaining }).flatMap(([what, n]) => (n > 0 ? `${n} ${what}` : []));
  return [`Ended: ${done} of ${requested} episodes done`, ...others].join(', ') + '.';
}

/**
 * The outcome of a batch whose workflow has failed; its account is among the failure's details, where one was written.
 * Where none was, what the batch said last.
 */
export async function outcomeOfFailure(
  batchId: string,
  error: unknown,
  lastStatus: () => Promise<BatchStatus | undefined>,
): Promise<BatchOutcome> {
  const cause = error instanceof WorkflowFailedError ? rootOf(error.cause) : error;
  const why = cause instanceof Error ? cause.message : String(cause);
  const { exitCode, state } = verdictOn(cause);
  const account = cause instanceof ApplicationFailure ? resultSchema.safeParse(cause.details?.[0]) : undefined;
  if (account?.success === true) {
    return { exitCode, report: await reportOfResult(account.data, `${sentence(why)} ${endSentence(account.data)}`) };
  }
  const status = await lastStatus();
  if (status === undefined)
    return { exitCode, report: { batchId, state, ...noCounts, why, findings: [], episodes: [] } };
  const { endpoints: _over, ...report } = reportOfStatus(status, 'was in work');
  const counted = report.requested === 0 ? why : `${sentence(why)} ${endSentence(report)}`;
  return { exitCode, report: { ...report, state, why: counted } };
}

/** The failure that started it: an activity's own, not that an activity failed. */
function rootOf(error: unknown): unknown {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error && !(root instanceof ApplicationFailure))
    root = root.cause;
  return root;
}

function verdictOn(cause: unknown): { readonly exitCode: ExitCode; readonly state: BatchState } {
  if (cause instanceof CancelledFailure) return { exitCode: exitCodes.aborted, state: 'cancelled' };
  if (cause instanceof TerminatedFailure) return { exitCode: exitCodes.aborted, state: 'aborted' };
  const type = cause instanceof ApplicationFailure ? (cause.type ?? '') : '';
  switch (type) {
    case 'InvalidInput':
    case 'Misconfigured':
    case 'ContentRejected':
      return { exitCode: exitCodes.usage, state: 'failed' };
    case 'ResilienceFuseOpen':
      return { exitCode: exitCodes.halted, state: 'failed' };
    case 'BatchAborted':
      return { exitCode: exitCodes.aborted, state: 'aborted' };
    default:
      return { exitCode: exitCodes.failed, state: 'failed' };
  }
}

async function reportOfResult({ record, ...result }: Result, why: string): Promise<BatchReport> {
  const corpusDir = path.dirname(path.dirname(record));
  // Written where the worker is, which may be another machine.
  const account = await readBatchRecord(corpusDir, result.batchId).catch(() => undefined);
  const known = account === undefined ? { episodes: [] } : { profile: account.profile, episodes: episodesOf(account) };
  return { ...result, why, corpusDir, ...known };
}

function episodesOf({ episodes }: BatchRecord): AccountedEpisode[] {
  return episodes.map(({ episodeId, feedId, title, state, reason, stages }) => ({
    episodeId,
    feedId,
    title,
    state,
    ...(reason === undefined ? {} : { reason }),
    stages,
  }));
}

/** A batch that is alive, as its own status says. Episodes that have ended are in its record once it ends. */
export function reportOfStatus(status: BatchStatus, inWorkIs = 'in work'): BatchReport {
  const { batchId, state, requested, done, failed, skipped, remaining } = status;
  const { why, profile, failureStrategy, corpusDir, endpoints, lastOrder, inWork, lastFailures } = status;
  return {
    ...{ batchId, state, requested, done, failed, skipped, remaining },
    ...{ why, profile, failureStrategy, corpusDir, endpoints, lastOrder },
    findings: [],
    episodes: [
      ...lastFailures.map((failure) => ({ ...failure, state: 'failed' as const, stages: [] })),
      ...inWork.map((episodeId) => ({ episodeId, state: 'remaining' as const, reason: inWorkIs, stages: [] })),
    ],
  };
}

/** Counts of the stages of a finished batch, by what became of them. */
export function stageCounts({ episodes }: BatchReport): {
  readonly all: number;
  readonly reused: number;
  readonly called: number;
} {
  const outcomes = episodes.flatMap((episode) => episode.stages.map((stage) => stage.outcome));
  const finished = outcomes.filter((outcome) => outcome !== 'skipped');
  const reused = finished.filter((outcome) => outcome === 'reused').length;
  return { all: finished.length, reused, called: finished.length - reused };
}
