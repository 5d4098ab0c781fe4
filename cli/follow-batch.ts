import { setTimeout as delay } from 'node:timers/promises';
import {
  WorkflowFailedError,
  WorkflowNotFoundError,
  type Client,
  type WorkflowExecutionDescription,
} from '@temporalio/client';
import { withoutFullStop, type BatchStatus } from '../src/batch-status.js';
import { batchWorkflowId, episodeWorkflowId, messageNames } from '../src/messages.js';
import type { Stage } from '../src/stage.js';
import { outcomeOfFailure, outcomeOfResult, reportOfStatus, type BatchOutcome } from './batch-outcome.js';
import { CommandError, exitCodes, usageError } from './command-error.js';
import { commandWord } from './command-word.js';

/** An episode in work, as far as it has come. */
export interface EpisodeGlance {
  readonly episodeId: string;
  readonly state: string;
  readonly stage?: Stage;
  /** The endpoint whose permit it waits for. */
  readonly waitingFor?: string;
  /** Stages behind it, 0..5. */
  readonly finished: number;
}

/** Shows people how a batch goes. */
export interface BatchDisplay {
  /** Episodes whose own status it wants, at most; each is a query. */
  readonly episodesShown: number;
  show(status: BatchStatus, episodes: readonly EpisodeGlance[]): void;
  /** Nobody answers: no worker is running, or it is busy. */
  showSilence(): void;
  close(): void;
}

const intervalMs = 1000;
const queryDeadlineMs = 10_000;
/** Of another's error message, at most. */
const messageLength = 400;

export interface FollowOptions {
  readonly display: BatchDisplay;
  /** Ends the following, not the batch. */
  readonly cancellation?: AbortSignal | undefined;
}

/**
 * Follows a batch until it ends or halts; a halted batch lives on, and somebody must decide. Asks again and again: a
 * request that waits for the end would keep the process for as long as the server holds it, 20 s, and each one that is
 * cut by a signal leaves a listener there.
 *
 * @throws {CommandError} when there is no such batch; the cancellation's reason
 */
export async function followBatch(
  client: Client,
  batchId: string,
  { display, cancellation }: FollowOptions,
): Promise<BatchOutcome> {
  try {
    for (;;) {
      if (await isClosed(client, batchId)) return await endOf(client, batchId);
      const status = await queryStatus(client, batchId);
      if (status === undefined) display.showSilence();
      else display.show(status, await glances(client, status, display.episodesShown));
      if (status?.state === 'halted') return { exitCode: exitCodes.halted, report: reportOfStatus(status) };
      await delay(intervalMs, undefined, { signal: cancellation });
    }
  } finally {
    display.close();
  }
}

/** Whether the batch has ended. @throws {CommandError} when there is no such batch, or the server does not answer */
export async function isClosed(client: Client, batchId: string): Promise<boolean> {
  try {
    const { status } = await client.workflow.getHandle(batchWorkflowId(batchId)).describe();
    return !['RUNNING', 'PAUSED', 'CONTINUED_AS_NEW'].includes(status.name);
  } catch (error) {
    throw asCommandError(batchId, error);
  }
}

/** How the batch ended, by its account; waits for its end. */
export function outcomeOf(client: Client, batchId: string): Promise<BatchOutcome> {
  return outcome(client, batchId, () => Promise.resolve(undefined));
}

/** As `outcomeOf`; where there is no account, with what the batch said last, if a worker still answers for it. */
export function endOf(client: Client, batchId: string): Promise<BatchOutcome> {
  return outcome(client, batchId, () => queryStatus(client, batchId));
}

async function outcome(
  client: Client,
  batchId: string,
  lastStatus: () => Promise<BatchStatus | undefined>,
): Promise<BatchOutcome> {
  try {
    return await outcomeOfResult(await client.workflow.getHandle(batchWorkflowId(batchId)).result());
  } catch (error) {
    if (error instanceof WorkflowFailedError) return outcomeOfFailure(batchId, error, lastStatus);
    throw asCommandError(batchId, error);
  }
}

function asCommandError(batchId: string, error: unknown): CommandError {
  if (error instanceof WorkflowNotFoundError) return noSuchBatch(batchId);
  const reason = error instanceof Error ? error.message : String(error);
  return new CommandError(`Lost sight of batch ${batchId} (${reason}); it goes on: ${commandWord()} watch ${batchId}`);
}

export function noSuchBatch(batchId: string): CommandError {
  return usageError([`there is no batch "${batchId}"`]);
}

/**
 * The batch's own answer; undefined when no worker gives one in time. What it waits for in its set-up only the server
 * knows. @throws {CommandError} when there is no such batch
 */
export async function queryStatus(client: Client, batchId: string): Promise<BatchStatus | undefined> {
  const handle = client.workflow.getHandle(batchWorkflowId(batchId));
  try {
    return await client.withDeadline(Date.now() + queryDeadlineMs, async () => {
      const status = await handle.query<BatchStatus>(messageNames.batch.queries.status);
      if (status.settingUp === undefined || status.state !== 'running') return status;
      return { ...status, why: `${status.why}${triedAgain((await handle.describe()).raw.pendingActivities ?? [])}` };
    });
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) throw noSuchBatch(batchId);
    return undefined;
  }
}

/** That an activity failed and is tried again, and why. */
function triedAgain(pending: readonly PendingActivity[]): string {
  const failing = pending.find(({ lastFailure }) => typeof lastFailure?.message === 'string');
  if (failing === undefined) return '';
  const { attempt, maximumAttempts, lastFailure } = failing;
  const message = (lastFailure?.message ?? '').replace(/\s+/g, ' ').slice(0, messageLength);
  const of = maximumAttempts ? ` of ${maximumAttempts}` : '';
  return ` Attempt ${(attempt ?? 2) - 1}${of} failed, and it is tried again: ${withoutFullStop(message)}.`;
}

type PendingActivity = NonNullable<WorkflowExecutionDescription['raw']['pendingActivities']>[number];

/** Statuses of an episode that matter here; the rest of the answer is the episode's own business. */
interface EpisodeAnswer {
  readonly state: string;
  readonly stage?: Stage;
  readonly waitingFor?: string;
  readonly stages: readonly unknown[];
}

async function glances(client: Client, status: BatchStatus, limit: number): Promise<EpisodeGlance[]> {
  const shown = status.inWork.slice(0, limit);
  const { episode } = messageNames;
  const answers = shown.map(async (episodeId): Promise<EpisodeGlance> => {
    const handle = client.workflow.getHandle(episodeWorkflowId(status.batchId, episodeId));
    try {
      const answer = await client.withDeadline(Date.now() + queryDeadlineMs, () =>
        handle.query<EpisodeAnswer>(episode.queries.status),
      );
      const { state, stages, stage, waitingFor } = answer;
      const place = { ...(stage === undefined ? {} : { stage }), ...(waitingFor === undefined ? {} : { waitingFor }) };
      return { episodeId, state, finished: stages.length, ...place };
    } catch {
      // Not started yet, or just gone.
      return { episodeId, state: 'starting', finished: 0 };
    }
  });
  return Promise.all(answers);
}
