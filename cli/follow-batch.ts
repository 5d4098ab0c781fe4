import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowFailedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { BatchStatus } from '../src/batch-status.js';
import { batchWorkflowId, episodeWorkflowId, messageNames } from '../src/messages.js';
import type { Stage } from '../src/stage.js';
import { outcomeOfFailure, outcomeOfResult, reportOfStatus, type BatchOutcome } from './batch-outcome.js';
import { CommandError, exitCodes, usageError } from './command-error.js';

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

export interface FollowOptions {
  readonly display: BatchDisplay;
  /** Ends the following, not the batch. */
  readonly cancellation?: AbortSignal | undefined;
}

/**
 * Follows a batch until it ends or halts; a halted batch lives on, and somebody must decide.
 *
 * @throws {CommandError} when there is no such batch; the cancellation's reason
 */
export async function followBatch(
  client: Client,
  batchId: string,
  { display, cancellation }: FollowOptions,
): Promise<BatchOutcome> {
  // A request that waits for the end would keep the process for as long as the server holds it: 20 s.
  const wait = new AbortController();
  const ended = client.withAbortSignal(wait.signal, () => outcomeOf(client, batchId));
  // Looked at again below; a rejection meanwhile is not a loose end.
  ended.catch(() => undefined);
  try {
    for (;;) {
      const outcome = await Promise.race([ended, delay(intervalMs, undefined, { signal: cancellation })]);
      if (outcome !== undefined) return outcome;
      const status = await queryStatus(client, batchId);
      if (status === undefined) {
        display.showSilence();
        continue;
      }
      display.show(status, await glances(client, status, display.episodesShown));
      if (status.state === 'halted') return { exitCode: exitCodes.halted, report: reportOfStatus(status) };
    }
  } finally {
    wait.abort();
    display.close();
  }
}

/** How the batch ended; waits for its end. */
export async function outcomeOf(client: Client, batchId: string): Promise<BatchOutcome> {
  try {
    return await outcomeOfResult(await client.workflow.getHandle(batchWorkflowId(batchId)).result());
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) throw noSuchBatch(batchId);
    if (error instanceof WorkflowFailedError) return outcomeOfFailure(batchId, error);
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`Lost sight of batch ${batchId} (${reason}); it goes on: holdfast watch ${batchId}`);
  }
}

export function noSuchBatch(batchId: string): CommandError {
  return usageError([`there is no batch "${batchId}"`]);
}

/** The batch's own answer; undefined when no worker gives one in time. @throws {CommandError} when there is no such batch */
export async function queryStatus(client: Client, batchId: string): Promise<BatchStatus | undefined> {
  try {
    return await client.withDeadline(Date.now() + queryDeadlineMs, () =>
      client.workflow.getHandle(batchWorkflowId(batchId)).query<BatchStatus>(messageNames.batch.queries.status),
    );
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) throw noSuchBatch(batchId);
    return undefined;
  }
}

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
