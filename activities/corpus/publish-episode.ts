import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ArtifactName, AudioRef, BlobRef } from '../../src/artifact.js';
import { artifactNames } from '../../src/artifact.js';
import type { StageReport } from '../../src/batch.js';
import { blobPath, episodeDir, episodeFileName } from '../../src/corpus-layout.js';
import type { EpisodeRecord } from '../../src/episode-record.js';
import { episodeRecordSchema } from '../../src/episode-record.js';
import type { Episode } from '../../src/episode.js';
import type { ArtifactStore, StageRecord } from '../artifact-store.js';
import { temporarySuffix, writeFileAtomically } from '../store/atomic-file.js';
import { asStoreError } from '../store/store-error.js';
import { keepRecord } from './kept-records.js';
import { readEpisodeRecord } from './read-corpus.js';
import { faultyFiles, filesIn, isUnlisted } from './verify-files.js';

export interface PublishEpisodeInput {
  readonly episode: Episode;
  /** The episode's document in the store. */
  readonly document: BlobRef;
  readonly batchId: string;
  readonly posture: EpisodeRecord['posture'];
  readonly state: EpisodeRecord['state'];
  /** Why it failed, in one sentence. */
  readonly reason?: string | undefined;
  readonly stages: readonly StageReport[];
  /** What the finished stages left; their blobs named like published files are published. */
  readonly records: readonly StageRecord[];
  readonly audio?: AudioRef | undefined;
}

export interface PublishedEpisode {
  /** False where a completed episode stands and this one failed. */
  readonly published: boolean;
  /** `<feed>/<episode>`, below the corpus. */
  readonly directory: string;
}

/**
 * Writes an episode's readable files, each atomically, `episode.json` last: so that whoever finds it finds what it
 * lists. Safe to repeat, and beside another batch. A failed episode never replaces a completed one.
 *
 * @throws StoreError
 */
export async function publishEpisode(store: ArtifactStore, input: PublishEpisodeInput): Promise<PublishedEpisode> {
  const directory = episodeDir(input.episode);
  const absolute = path.join(store.corpusDir, directory);
  if (input.state === 'failed' && (await readEpisodeRecord(absolute))?.state === 'done') {
    return { published: false, directory };
  }
  const files = filesToPublish(input.records);
  const record = episodeRecordSchema.parse(recordOf(input, files));
  for (const { name, ref } of files) await writeFileAtomically(path.join(absolute, name), await store.read(ref));
  await writeFileAtomically(path.join(absolute, episodeFileName), `${JSON.stringify(record, null, 2)}\n`);
  await settle(store, absolute);
  if (record.state === 'done') await keepRecord(store.corpusDir, record);
  return { published: true, directory };
}

/** Enough for batches that write one episode at the same time; each round needs another to have written meanwhile. */
const rounds = 10;

/**
 * Leaves in the directory what the record there lists, and no other artifact. That record may be another batch's by now,
 * over whose files this one has written: the store has them by digest. Whoever changed something looks again, so that
 * the last to write leaves the directory whole.
 */
async function settle(store: ArtifactStore, directory: string): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    const record = await readEpisodeRecord(directory);
    if (record === undefined) return;
    const removed = await removeUnlisted(directory, record);
    const faulty = await faultyFiles(record, filesIn(directory));
    if (removed + faulty.length === 0) return;
    for (const { name, sha256, bytes } of faulty) {
      const content = await store.read({ uri: blobPath(sha256), sha256, bytes });
      await writeFileAtomically(path.join(directory, name), content);
    }
  }
}

interface PublishedFile {
  readonly name: ArtifactName;
  readonly ref: BlobRef;
}

/** In the order of `artifactNames`; were two stages to leave one name, the later stage has it. */
function filesToPublish(records: readonly StageRecord[]): PublishedFile[] {
  return artifactNames.flatMap((name) => {
    const ref = records.findLast((record) => record.blobs[name] !== undefined)?.blobs[name];
    return ref === undefined ? [] : [{ name, ref }];
  });
}

function recordOf(input: PublishEpisodeInput, files: readonly PublishedFile[]): EpisodeRecord {
  const { episode, audio, reason } = input;
  return {
    schemaVersion: '1.0',
    episodeId: episode.episodeId,
    feedId: episode.feedId,
    feedTitle: episode.feedTitle,
    title: episode.title,
    ...(episode.guid === undefined ? {} : { guid: episode.guid }),
    ...(episode.publishedAt === undefined ? {} : { publishedAt: episode.publishedAt }),
    document: input.document,
    state: input.state,
    ...(reason === undefined ? {} : { reason }),
    batchId: input.batchId,
    posture: input.posture,
    // Not its path: that is this machine's affair, and may name a person.
    ...(audio === undefined ? {} : { audio: withoutPath(audio) }),
    stages: input.stages.map((report) => stageOf(report, input.records)),
    files: Object.fromEntries(files.map(({ name, ref }) => [name, { sha256: ref.sha256, bytes: ref.bytes }])),
  };
}

function withoutPath({ sha256, bytes, durationSec, format }: AudioRef): EpisodeRecord['audio'] {
  return { sha256, bytes, durationSec, format };
}

function stageOf(report: StageReport, records: readonly StageRecord[]): EpisodeRecord['stages'][number] {
  const record = records.find(({ stage }) => stage === report.stage);
  if (record === undefined) return report;
  const document = record.blobs['document']?.sha256;
  return { ...report, provenance: record.provenance, ...(document === undefined ? {} : { documentSha256: document }) };
}

/**
 * Removes files of an earlier run that this one has not made (left in place they would pass for its own), and what a
 * killed attempt left half-written. Answers how many artifacts these were.
 */
async function removeUnlisted(directory: string, record: EpisodeRecord): Promise<number> {
  try {
    const names = await readdir(directory);
    const unlisted = names.filter((name) => isUnlisted(name, record));
    for (const name of [...unlisted, ...(await abandonedIn(directory, names))]) {
      await rm(path.join(directory, name), { force: true });
    }
    return unlisted.length;
  } catch (error) {
    throw asStoreError(error, directory);
  }
}

/** A file that is being written is not older; the attempt after a kill comes later. */
const abandonedAfterMs = 30_000;

async function abandonedIn(directory: string, names: readonly string[]): Promise<string[]> {
  const abandoned: string[] = [];
  for (const name of names.filter((one) => one.endsWith(temporarySuffix))) {
    const entry = await stat(path.join(directory, name)).catch(() => undefined);
    if (entry !== undefined && Date.now() - entry.mtimeMs > abandonedAfterMs) abandoned.push(name);
  }
  return abandoned;
}
