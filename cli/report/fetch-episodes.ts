import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { outcomePages } from '../../activities/corpus/batch-record.js';
import { episodeReportSchema, type EpisodeReport } from '../../src/batch.js';
import { episodeTimeline } from './episode-timeline.js';
import type { EpisodeFacts, Period } from './facts.js';
import { fetchEpisodeRuns } from './fetch-histories.js';
import type { RunEvent } from './run-events.js';

/** Episodes whose histories are read; of more, those that began last. */
const timelinesAtMost = 3000;

export interface EpisodeQuery {
  readonly batchId: string;
  readonly period: Period;
  readonly corpusDir: string | undefined;
  /** From the record of a batch that has ended. */
  readonly recorded: readonly EpisodeReport[];
}

/** Every episode that has begun, or that the batch's record names; what was not to be had is said in `gaps`. */
export async function fetchEpisodes(
  client: Client,
  query: EpisodeQuery,
): Promise<{ readonly episodes: readonly EpisodeFacts[]; readonly gaps: readonly string[] }> {
  const { batchId, period, corpusDir } = query;
  const { found, runs } = await fetchEpisodeRuns(client, batchId, { sinceMs: period.fromMs, atMost: timelinesAtMost });
  const episodes = new Map<string, EpisodeFacts>();
  const gaps = found > runs.length ? [`Times are shown for the last ${runs.length} of ${found} episodes.`] : [];
  for (const { workflowId, events } of runs) {
    const facts = episodeOf(events, period.toMs);
    if (facts !== undefined) episodes.set(facts.episodeId, facts);
    else gaps.push(`The history of ${workflowId} is gone.`);
  }
  const isKnown = query.recorded.length > 0 || corpusDir === undefined;
  const recorded = isKnown ? query.recorded : await recordedSoFar(corpusDir, batchId);
  let timeless = 0;
  for (const report of recorded) {
    const seen = episodes.get(report.episodeId);
    if (seen === undefined && report.state !== 'remaining') timeless += 1;
    episodes.set(report.episodeId, { ...seen, ...report });
  }
  if (timeless > 0 && found === runs.length) {
    gaps.push(`The server has no history of ${timeless} of the episodes (any more): no times are shown for them.`);
  }
  return { episodes: [...episodes.values()], gaps };
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
