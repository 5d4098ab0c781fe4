import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ArtifactName } from '../../src/artifact.js';
import { episodeDir, episodeFileName } from '../../src/corpus-layout.js';
import type { EpisodeRecord } from '../../src/episode-record.js';
import type { RunPlan } from '../../src/run-plan.js';
import type { ArtifactValidator } from './artifact-validators.js';
import { artifactValidators } from './artifact-validators.js';
import { outcomePages } from './batch-record.js';
import { BatchUnity } from './batch-unity.js';
import type { Finding } from './finding.js';
import { keptRecord } from './kept-records.js';
import { episodeDirsOf, readEpisodeRecord } from './read-corpus.js';
import { verifyFiles, verifyKeptFiles } from './verify-files.js';
import { verifyProvenance } from './verify-provenance.js';

/** An episode that was looked at. */
export interface CheckedEpisode {
  /** `<feed>/<episode>`. */
  readonly episode: string;
  /** The batch that has taken its place in the readable folder since; only where one batch is asked for. */
  readonly supersededBy?: string;
}

export interface VerifyOptions {
  /** Only this batch's episodes, and all that it says are done. Default: every episode, whichever batch made it. */
  readonly batchId?: string;
  /** What the batch was to do; given together with its `batchId`. */
  readonly plan?: RunPlan;
  /** Default `artifactValidators`. */
  readonly validators?: Readonly<Partial<Record<ArtifactName, ArtifactValidator>>>;
  readonly cancellation?: AbortSignal;
  /** Called after each episode of the corpus, asked for or not. */
  readonly heartbeat?: ((episodesPassed: number) => void) | undefined;
  /** Called for each episode asked for. */
  readonly onEpisode?: (checked: CheckedEpisode) => void;
  /**
   * Files that are not as listed are looked at again after so long, once for each entry: another batch may be writing
   * them at that moment. Default: what is seen counts.
   */
  readonly lookAgainAfterMs?: readonly number[];
}

/**
 * Walks a corpus and tells everything in it that is not as its records, and the plan where it is given, say: missing
 * or damaged files, wrong formats, broken grounding, artifacts of another model, posture, batch, audio or episode, and
 * models mixed within a batch under hold. Reads one episode at a time; nothing found, nothing yielded. Where another
 * batch has taken an episode's place since, the batch asked for is judged by what it published then.
 */
export async function* verifyCorpus(corpusDir: string, options: VerifyOptions = {}): AsyncGenerator<Finding> {
  const { batchId } = options;
  const unity = new BatchUnity();
  const owed = batchId === undefined ? new Set<string>() : await doneByTheBatch(corpusDir, batchId);
  const unsettled: string[] = [];
  let passed = 0;
  for (const episode of await episodeDirsOf(corpusDir)) {
    options.cancellation?.throwIfAborted();
    const look = await lookAt(corpusDir, episode, options);
    passed += 1;
    options.heartbeat?.(passed);
    if (look === undefined) continue;
    options.onEpisode?.({ episode, ...look.superseded });
    if (look.record?.state === 'done') owed.delete(episode);
    if (look.record !== undefined) unity.add(look.record);
    if (options.lookAgainAfterMs !== undefined && isUnsettled(look)) unsettled.push(episode);
    else yield* look.findings;
  }
  yield* lookAgain(corpusDir, unsettled, { ...options, heartbeat: () => options.heartbeat?.(passed) });
  yield* unity.findings();
  for (const episode of owed) {
    options.onEpisode?.({ episode });
    const message = `batch ${batchId ?? ''} counts it as done, but its result is not there`;
    yield { episode, code: 'outcome', message };
  }
}

interface Look {
  /** Of the batch asked for; undefined where it is missing or damaged. */
  readonly record: EpisodeRecord | undefined;
  readonly superseded?: Pick<CheckedEpisode, 'supersededBy'>;
  readonly findings: readonly Finding[];
}

/** Undefined where the episode is none of those asked for. */
async function lookAt(corpusDir: string, episode: string, options: VerifyOptions): Promise<Look | undefined> {
  const { batchId, plan, validators = artifactValidators } = options;
  const directory = path.join(corpusDir, episode);
  const record = await readEpisodeRecord(directory);
  if (record === undefined) {
    if (batchId !== undefined) return undefined;
    const message = `${episodeFileName} is missing or damaged`;
    return { record, findings: [{ episode, file: episodeFileName, code: 'record', message }] };
  }
  if (batchId !== undefined && record.batchId !== batchId) {
    const kept = record.state === 'done' ? await keptRecord(corpusDir, batchId, episode) : undefined;
    if (kept === undefined) return undefined;
    const findings = [...(await verifyKeptFiles(corpusDir, kept, validators)), ...verifyProvenance(kept, plan)];
    return { record: kept, superseded: { supersededBy: record.batchId }, findings };
  }
  const findings = [...(await verifyFiles(directory, record, validators)), ...verifyProvenance(record, plan)];
  if (episodeDir(record) === episode) return { record, findings };
  const message = `${episodeFileName} is that of ${episodeDir(record)}`;
  return { record, findings: [{ episode, file: episodeFileName, code: 'record', message }, ...findings] };
}

function isUnsettled({ findings }: Look): boolean {
  return findings.some(({ code }) => code === 'file');
}

/** The findings of episodes that stay as they are however often they are looked at. */
async function* lookAgain(
  corpusDir: string,
  episodes: readonly string[],
  options: VerifyOptions,
): AsyncGenerator<Finding> {
  const { lookAgainAfterMs = [], cancellation } = options;
  let unsettled = episodes;
  for (const [index, afterMs] of lookAgainAfterMs.entries()) {
    if (unsettled.length === 0) return;
    await delay(afterMs, undefined, { signal: cancellation });
    const still: string[] = [];
    for (const episode of unsettled) {
      cancellation?.throwIfAborted();
      const look = await lookAt(corpusDir, episode, options);
      options.heartbeat?.(episodes.length);
      const isLast = index === lookAgainAfterMs.length - 1;
      if (look !== undefined && isUnsettled(look) && !isLast) still.push(episode);
      else yield* look?.findings ?? [];
    }
    unsettled = still;
  }
}

/** Directories of the episodes that the batch's outcome pages count as done. */
async function doneByTheBatch(corpusDir: string, batchId: string): Promise<Set<string>> {
  const state = new Map<string, string>();
  for await (const { episodes } of outcomePages(corpusDir, batchId)) {
    for (const episode of episodes) state.set(episodeDir(episode), episode.state);
  }
  return new Set([...state].filter(([, said]) => said === 'done').map(([episode]) => episode));
}
