import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ArtifactName, AudioRef, BlobRef } from '../../src/artifact.js';
import { artifactNames } from '../../src/artifact.js';
import type { StageReport } from '../../src/batch.js';
import { episodeDir, episodeFileName } from '../../src/corpus-layout.js';
import type { EpisodeRecord } from '../../src/episode-record.js';
import { episodeRecordSchema } from '../../src/episode-record.js';
import type { Episode } from '../../src/episode.js';
import type { ArtifactStore, StageRecord } from '../artifact-store.js';
import { temporarySuffix, writeFileAtomically } from '../store/atomic-file.js';
import { asStoreError } from '../store/store-error.js';
import { readEpisodeRecord } from './read-corpus.js';

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
 * lists. Safe to repeat. A failed episode never replaces a completed one.
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
  for (const { name, ref } of files) await writeFileAtomically(path.join(absolute, name), await store.read(ref));
  const record = episodeRecordSchema.parse(recordOf(input, files));
  await writeFileAtomically(path.join(absolute, episodeFileName), `${JSON.stringify(record, null, 2)}\n`);
  await removeUnlisted(absolute, record);
  return { published: true, directory };
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
 * killed attempt left half-written.
 */
async function removeUnlisted(directory: string, record: EpisodeRecord): Promise<void> {
  try {
    const names = await readdir(directory);
    const stale = names.filter((name) => name.endsWith(temporarySuffix) || isUnlisted(name, record));
    await Promise.all(stale.map((name) => rm(path.join(directory, name), { force: true })));
  } catch (error) {
    throw asStoreError(error, directory);
  }
}

/** An artifact that the record does not list; files of other people's are none of ours. */
function isUnlisted(name: string, record: EpisodeRecord): boolean {
  return artifactNames.some((artifact) => artifact === name && record.files[artifact] === undefined);
}
