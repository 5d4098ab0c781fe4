import type { WorkflowHandle } from '@temporalio/client';
import type { BatchReport } from '../../cli/batch-outcome.js';
import type { Stage } from '../../src/stage.js';
import type { CallRecord } from '../support/stub/call-log.js';
import type { EndpointServer } from '../support/stub/endpoint-server.js';
import type { DrillEndpoint, DrillSite } from './drill-site.js';

/** What a drill prints: the batch's own account, and what the scripted services counted. */
export interface DrillCounts {
  readonly done: number;
  readonly failed: number;
  /** Artifacts that another option than the chosen one made. */
  readonly mixed: number;
  /** Work calls that reached the drilled service while it was down; probes are not among them. */
  readonly callsWhileDown: number;
  readonly probes: number;
  /** Work calls computing at once at the drilled service, at most; zombies count. */
  readonly maxInFlight: number;
  /** Audio sent to a service that had answered it to the end before, and stages of text that an episode ran twice. */
  readonly stagesRepeated: number;
  /** From when the drilled service could be called again to its first work call; null: it was never away. */
  readonly recoverySec: number | null;
  readonly probeIntervalSec: number;
}

/** The options that profile `experiment_dgx_only` chooses. */
const chosenOptions: Readonly<Record<Stage, string>> = {
  transcribe: 'tailnet_dgx_speaches_thread_b',
  diarize: 'tailnet_dgx_diarization_community1',
  summarize: 'ollama_qwen35_35b',
  gi: 'ollama_qwen35_35b',
  kg: 'ollama_qwen35_35b',
};

export interface Counted {
  readonly site: DrillSite;
  readonly endpointId: DrillEndpoint;
  readonly report: BatchReport;
  readonly probeIntervalSec: number;
  /** When the service could be called again. */
  readonly recoverableAtMs?: number;
}

export async function countDrill(counted: Counted): Promise<DrillCounts> {
  const { site, endpointId, report, probeIntervalSec, recoverableAtMs } = counted;
  const endpoint = site.endpoint(endpointId);
  const { callsWhileDown, probeCalls, maxInFlight } = endpoint.counters;
  return {
    done: report.done,
    failed: report.failed,
    mixed: mixedArtifacts(report),
    callsWhileDown,
    probes: probeCalls,
    maxInFlight,
    stagesRepeated: await stagesRepeated(site, report),
    recoverySec: recoverableAtMs === undefined ? null : recoverySec(endpoint, recoverableAtMs),
    probeIntervalSec,
  };
}

function mixedArtifacts({ episodes }: BatchReport): number {
  const made = episodes.flatMap(({ stages }) => stages).filter(({ optionId }) => optionId !== undefined);
  return made.filter(({ stage, optionId }) => optionId !== chosenOptions[stage]).length;
}

export async function stagesRepeated(site: DrillSite, { batchId, episodes }: BatchReport): Promise<number> {
  const speech = [...site.stub.endpoints.values()].map(repeatedAudio);
  const stages = episodes.map(({ episodeId }) => repeatedActivities(site.episode(batchId, episodeId)));
  return [...speech, ...(await Promise.all(stages))].reduce((sum, one) => sum + one, 0);
}

function repeatedAudio(endpoint: EndpointServer): number {
  const files = endpoint.calls.filter(wasAnswered).flatMap(({ fileSha256 }) => fileSha256 ?? []);
  return files.length - new Set(files).size;
}

/** Two texts may be the same, so prompts tell nothing: the episode's own history does. */
async function repeatedActivities(episode: WorkflowHandle): Promise<number> {
  const { events } = await episode.fetchHistory();
  const types = new Map(
    (events ?? []).map((event) => [
      String(event.eventId),
      event.activityTaskScheduledEventAttributes?.activityType?.name ?? '',
    ]),
  );
  const completed = (events ?? []).flatMap(({ activityTaskCompletedEventAttributes: ended }) =>
    ended ? [types.get(String(ended.scheduledEventId)) ?? ''] : [],
  );
  return completed.length - new Set(completed).size;
}

function wasAnswered({ kind, status, closedBy }: CallRecord): boolean {
  return kind === 'work' && status === 200 && closedBy === undefined;
}

function recoverySec(endpoint: EndpointServer, fromMs: number): number | null {
  const first = endpoint.calls.find(({ kind, startedAtMs }) => kind === 'work' && startedAtMs >= fromMs);
  return first === undefined ? null : (first.startedAtMs - fromMs) / 1000;
}
