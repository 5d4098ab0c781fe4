import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { workflowTypes } from '../../src/messages.js';
import { runEvents, type RunEvent } from './run-events.js';

/** Histories asked for at once. */
const concurrency = 8;
/** An entity that was busier has more history than a page can show. */
const runsAtMost = 60;

/** The runs of a workflow that the server still has, oldest first, back to the one that was open at `sinceMs`. */
export async function fetchRuns(client: Client, workflowId: string, sinceMs = 0): Promise<RunEvent[][]> {
  const runs: RunEvent[][] = [];
  let runId: string | undefined;
  while (runs.length < runsAtMost) {
    const events = await fetchRun(client, workflowId, runId);
    const [first] = events ?? [];
    if (events === undefined || first?.kind !== 'started') break;
    runs.unshift(events);
    runId = first.previousRunId;
    if (runId === undefined || first.atMs <= sinceMs) break;
  }
  return runs;
}

/** The latest run where none is named; undefined when there is none, or it is gone. */
async function fetchRun(client: Client, workflowId: string, runId?: string): Promise<RunEvent[] | undefined> {
  try {
    return runEvents(await client.workflow.getHandle(workflowId, runId).fetchHistory());
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || codeOf(error) === grpcNotFound) return undefined;
    throw error;
  }
}

/** The client passes on what the server says to a request for a history. */
const grpcNotFound = 5;

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

export interface EpisodeRun {
  readonly workflowId: string;
  readonly events: readonly RunEvent[];
}

/**
 * The latest run of each episode of a batch, as it began. Of more than `atMost` those that began last; `found` says how
 * many there are.
 */
export async function fetchEpisodeRuns(
  client: Client,
  batchId: string,
  { sinceMs, atMost }: { readonly sinceMs: number; readonly atMost: number },
): Promise<{ readonly found: number; readonly runs: readonly EpisodeRun[] }> {
  const latest = new Map<string, { runId: string; startMs: number }>();
  for await (const { workflowId, runId, startTime } of client.workflow.list({ query: episodesOf(batchId) })) {
    const startMs = startTime.getTime();
    // A batch that is run again under its id has episodes of the same ids from before.
    if (startMs < sinceMs || startMs < (latest.get(workflowId)?.startMs ?? 0)) continue;
    latest.set(workflowId, { runId, startMs });
  }
  const wanted = [...latest].sort(([, a], [, b]) => a.startMs - b.startMs).slice(-atMost);
  const runs = await inParallel(wanted, async ([workflowId, { runId }]) => ({
    workflowId,
    events: (await fetchRun(client, workflowId, runId)) ?? [],
  }));
  return { found: latest.size, runs };
}

function episodesOf(batchId: string): string {
  const quoted = batchId.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  return `WorkflowType = '${workflowTypes.processEpisode}' AND HoldfastBatch = '${quoted}'`;
}

/** The results in the order of the items, a few at a time. */
export async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index];
      if (item !== undefined) results[index] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, lane));
  return results;
}
