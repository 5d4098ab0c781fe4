import path from 'node:path';
import { ApplicationFailure, CancelledFailure, TerminatedFailure, WorkflowFailedError } from '@temporalio/client';
import { z } from 'zod';
import { readBatchRecord } from '../activities/corpus/batch-record.js';
import { batchCountsSchema, batchStateSchema } from '../src/batch.js';
import type { BatchRecord, BatchState, EpisodeReport } from '../src/batch.js';
import type { BatchStatus } from '../src/batch-status.js';
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
  readonly corpusDir?: string | undefined;
  readonly findings: readonly string[];
  readonly episodes: readonly Pick<EpisodeReport, 'episodeId' | 'feedId' | 'title' | 'state' | 'reason' | 'stages'>[];
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

function endSentence({ requested, done, failed, skipped, remaining }: Result): string {
  const others = Object.entries({ failed, skipped, remaining }).flatMap(([what, n]) => (n > 0 ? `${n} ${what}` : []));
  return [`Ended: ${done} of ${requested} episodes done`, ...others].join(', ') + '.';
}

/** The outcome of a batch whose workflow has failed; its account is among the failure's details, where one was written. */
export async function outcomeOfFailure(batchId: string, error: unknown): Promise<BatchOutcome> {
  const cause = error instanceof WorkflowFailedError ? rootOf(error.cause) : error;
  const why = cause instanceof Error ? cause.message : String(cause);
  const { exitCode, state } = verdictOn(cause);
  const account = cause instanceof ApplicationFailure ? resultSchema.safeParse(cause.details?.[0]) : undefined;
  if (account?.success === true) return { exitCode, report: await reportOfResult(account.data, why) };
  return { exitCode, report: { batchId, state, ...noCounts, why, findings: [], episodes: [] } };
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
  return { ...result, why, corpusDir, episodes: account === undefined ? [] : episodesOf(account) };
}

function episodesOf({ episodes }: BatchRecord): BatchReport['episodes'] {
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
export function reportOfStatus(status: BatchStatus): BatchReport {
  const { batchId, state, requested, done, failed, skipped, remaining, why, inWork, lastFailures } = status;
  const known = { feedId: '', title: '', stages: [] };
  return {
    batchId,
    state,
    requested,
    done,
    failed,
    skipped,
    remaining,
    why,
    findings: [],
    episodes: [
      ...lastFailures.map((failure) => ({ ...known, ...failure, state: 'failed' as const })),
      ...inWork.map((episodeId) => ({ ...known, episodeId, state: 'remaining' as const, reason: 'in work' })),
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
