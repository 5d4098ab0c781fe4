import type { Episode } from './episode.js';

/*
 * Where things are below `<corpus-dir>`, as relative paths with forward slashes (design.md section 9).
 * People read `<feed>/<episode>/` and `batches/`; `.holdfast/` is ours.
 */

/** The directory of our own files. */
export const internalDir = '.holdfast';
/** The directory of batch records; no feed is called so, feed ids end in a digest. */
export const batchesDir = 'batches';
export const episodeFileName = 'episode.json';

export function blobPath(sha256: string): string {
  return `${internalDir}/blobs/${sha256.slice(0, 2)}/${sha256}`;
}

/** One directory a stage key, one file a batch. */
export function stageDir(key: string): string {
  return `${internalDir}/stages/${key}`;
}

/** Fetched audio, by its digest; the extension tells services what it is. */
export function audioPath(sha256: string, format: string): string {
  return `${internalDir}/audio/${sha256.slice(0, 2)}/${sha256}.${format}`;
}

/** What checking an audio file found out, by the audio's digest. */
export function audioCheckPath(sha256: string): string {
  return `${internalDir}/audio-checks/${sha256.slice(0, 2)}/${sha256}.json`;
}

/** Which audio an episode's document led to, by the document's digest. */
export function audioIndexPath(documentSha256: string): string {
  return `${internalDir}/audio-index/${documentSha256.slice(0, 2)}/${documentSha256}.json`;
}

/** Audio on its way in; never read by anyone but its writer. */
export const incomingAudioDir = `${internalDir}/audio/incoming`;

export function episodeDir(episode: Pick<Episode, 'feedId' | 'episodeId'>): string {
  return `${episode.feedId}/${episode.episodeId}`;
}

/** `batchName` is the batch id made safe as a file name (`safeName`). */
export function batchRecordPath(batchName: string): string {
  return `${batchesDir}/${batchName}.json`;
}

/** Outcomes of one page of a batch, until the record is made of them. */
export function outcomePagesDir(batchName: string): string {
  return `${internalDir}/outcomes/${batchName}`;
}

/** Records with which a batch published its episodes. */
export function publishedRecordsDir(batchName: string): string {
  return `${internalDir}/published/${batchName}`;
}

/** Valid LLM answers of a stage that is not finished; gone once it is. */
export function answersDir(batchName: string, stageKey: string): string {
  return `${internalDir}/answers/${batchName}/${stageKey}`;
}

/** The count of LLM calls of one episode in one batch. */
export function callBudgetPath(batchName: string, episode: Pick<Episode, 'feedId' | 'episodeId'>): string {
  return `${internalDir}/call-budgets/${batchName}/${episodeDir(episode)}`;
}
