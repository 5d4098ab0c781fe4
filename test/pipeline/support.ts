import { WorkflowFailedError } from '@temporalio/client';
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { episodeRecordSchema, type EpisodeRecord } from '../../src/episode-record.js';
import { batchWorkflowId } from '../../src/messages.js';
import type { Rig } from '../support/rig.js';

/** `episode.json` of the n-th episode as it stands in the corpus. */
export async function publishedEpisode(rig: Rig, n = 0): Promise<EpisodeRecord> {
  const file = path.join(rig.corpusDir, 'feed', rig.episodeId(n), 'episode.json');
  return episodeRecordSchema.parse(JSON.parse(await readFile(file, 'utf8')));
}

/** What the corpus says of one stage of an episode. */
export async function stageOf(
  rig: Rig,
  stage: EpisodeRecord['stages'][number]['stage'],
  n = 0,
): Promise<EpisodeRecord['stages'][number]> {
  const found = (await publishedEpisode(rig, n)).stages.find((one) => one.stage === stage);
  if (found === undefined) throw new Error(`episode.json says nothing of ${stage}`);
  return found;
}

/** Work calls that each endpoint of the site has seen. */
export function workCalls(rig: Rig): Record<string, number> {
  return Object.fromEntries([...rig.stub.endpoints].map(([id, endpoint]) => [id, endpoint.counters.workCalls]));
}

/** Names of the JSON schemas that an endpoint was asked for, in order: which questions were really sent. */
export function asked(rig: Rig, endpointId: string): string[] {
  return rig.stub.endpoint(endpointId).calls.flatMap(({ kind, body }) => (kind === 'work' ? [schemaName(body)] : []));
}

interface ChatBody {
  readonly response_format?: { readonly json_schema?: { readonly name?: string } };
}

function schemaName(body: unknown): string {
  return (body as ChatBody | undefined)?.response_format?.json_schema?.name ?? 'none';
}

/** Why a batch was refused at its start: the failure of the activity that refused it. */
export async function refusalOf(rig: Rig, batchId: string): Promise<ApplicationFailure> {
  const result: unknown = await rig.temporal.client.workflow
    .getHandle(batchWorkflowId(batchId))
    .result()
    .catch((error: unknown) => error);
  const activity = result instanceof WorkflowFailedError ? result.cause : undefined;
  if (activity instanceof ActivityFailure && activity.cause instanceof ApplicationFailure) return activity.cause;
  throw new Error(`batch ${batchId} was not refused`, { cause: result });
}
