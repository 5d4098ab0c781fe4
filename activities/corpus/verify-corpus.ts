import path from 'node:path';
import type { ArtifactName } from '../../src/artifact.js';
import { episodeDir, episodeFileName } from '../../src/corpus-layout.js';
import type { EpisodeRecord } from '../../src/episode-record.js';
import type { RunPlan } from '../../src/run-plan.js';
import type { ArtifactValidator } from './artifact-validators.js';
import { artifactValidators } from './artifact-validators.js';
import { outcomePages } from './batch-record.js';
import { BatchUnity } from './batch-unity.js';
import type { Finding } from './finding.js';
import { episodeDirsOf, readEpisodeRecord } from './read-corpus.js';
import { verifyFiles } from './verify-files.js';
import { verifyProvenance } from './verify-provenance.js';

export interface VerifyOptions {
  /** Only this batch's episodes, and all that it says are done. Default: every episode, whichever batch made it. */
  readonly batchId?: string;
  /** What the batch was to do; given together with its `batchId`. */
  readonly plan?: RunPlan;
  /** Default `artifactValidators`. */
  readonly validators?: Readonly<Partial<Record<ArtifactName, ArtifactValidator>>>;
  readonly cancellation?: AbortSignal;
  /** Called after each episode. */
  readonly heartbeat?: (episodesChecked: number) => void;
}

/**
 * Walks a corpus and tells everything in it that is not as its records, and the plan where it is given, say: missing
 * or damaged files, wrong formats, broken grounding, artifacts of another model, posture, batch, audio or episode, and
 * models mixed within a batch under hold. Reads one episode at a time; nothing found, nothing yielded.
 */
export async function* verifyCorpus(corpusDir: string, options: VerifyOptions = {}): AsyncGenerator<Finding> {
  const { batchId } = options;
  const unity = new BatchUnity();
  const done = batchId === undefined ? new Set<string>() : await doneByTheBatch(corpusDir, batchId);
  let checked = 0;
  for (const episode of await episodeDirsOf(corpusDir)) {
    options.cancellation?.throwIfAborted();
    const directory = path.join(corpusDir, episode);
    const record = await readEpisodeRecord(directory);
    checked += 1;
    options.heartbeat?.(checked);
    if (record === undefined) {
      const message = `${episodeFileName} is missing or damaged`;
      if (batchId === undefined) yield { episode, file: episodeFileName, code: 'record', message };
      continue;
    }
    if (batchId !== undefined && record.batchId !== batchId) continue;
    if (record.state === 'done') done.delete(episode);
    if (episodeDir(record) !== episode) {
      const message = `${episodeFileName} is that of ${episodeDir(record)}`;
      yield { episode, file: episodeFileName, code: 'record', message };
    }
    unity.add(record);
    yield* await verifyEpisode(directory, record, options);
  }
  yield* unity.findings();
  for (const episode of done) {
    yield {
      episode,
      code: 'outcome',
      message: `batch ${batchId ?? ''} counts it as done, but its result is not there`,
    };
  }
}

async function verifyEpisode(directory: string, record: EpisodeRecord, options: VerifyOptions): Promise<Finding[]> {
  const files = await verifyFiles(directory, record, options.validators ?? artifactValidators);
  return [...files, ...verifyProvenance(record, options.plan)];
}

/** Directories of the episodes that the batch's outcome pages count as done. */
async function doneByTheBatch(corpusDir: string, batchId: string): Promise<Set<string>> {
  const state = new Map<string, string>();
  for await (const { episodes } of outcomePages(corpusDir, batchId)) {
    for (const episode of episodes) state.set(episodeDir(episode), episode.state);
  }
  return new Set([...state].filter(([, said]) => said === 'done').map(([episode]) => episode));
}
