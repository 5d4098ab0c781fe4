import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { AudioRef } from '../../src/artifact.js';
import { audioPath } from '../../src/corpus-layout.js';
import type { Episode } from '../../src/episode.js';
import { describePlace } from '../source/describe-place.js';
import type { FetchLimits } from '../source/fetch-url.js';
import { contentError, SourceError } from '../source/source-error.js';
import { moveInto } from '../store/atomic-file.js';
import { digestFile } from '../store/digest.js';
import { makeDirectory } from '../store/make-directory.js';
import { asStoreError, systemCode } from '../store/store-error.js';
import type { AudioCheck } from './audio-check.js';
import { readAudioCheck, readAudioIndex, saveAudioCheck, saveAudioIndex } from './audio-check.js';
import { decodeAudio } from './decode-audio.js';
import { downloadAudio } from './download-audio.js';
import { sniffAudioFile } from './sniff-audio.js';

/** How far preparing has come; for heartbeats. */
export type AudioProgress = { readonly fetchedBytes: number } | { readonly decodedSec: number };

export interface PrepareAudioOptions {
  /** Absolute path; fetched audio goes below it. */
  readonly corpusDir: string;
  readonly ffmpegPath: string;
  readonly cancellation: AbortSignal;
  /** Of a download; default 1 h, 4 GiB, 60 s of silence. */
  readonly limits?: FetchLimits;
  readonly heartbeat?: (progress: AudioProgress) => void;
}

const defaultAudioLimits: FetchLimits = { deadlineMs: 3_600_000, maxBytes: 4 * 1024 ** 3, idleTimeoutMs: 60_000 };

/**
 * Makes sure of an episode's audio before any model is called: a local file is opened in place, a URL is fetched once
 * into the corpus; its bytes say it is audio, it decodes from start to end, and this is how long it is. Repeating it
 * fetches and decodes nothing anew.
 *
 * @param input the episode, and the digest of its document in the store
 * @throws SourceError: `content` (no audio named, dead link, not audio, does not decode) fails the episode at once,
 *   `transient` is for Temporal to retry; StoreError; or the cancellation's own reason
 */
export async function prepareAudio(
  input: { readonly episode: Episode; readonly documentSha256: string },
  options: PrepareAudioOptions,
): Promise<AudioRef> {
  const { episode, documentSha256 } = input;
  if (episode.refused !== undefined) throw contentError('REFUSED', episode.refused);
  if (episode.audioUrl === undefined) throw contentError('NO_ENCLOSURE', 'The item has no audio enclosure.');
  if (episode.audioCopy !== undefined && (await exists(episode.audioCopy))) {
    return prepareLocal(episode.audioCopy, options);
  }
  if (path.isAbsolute(episode.audioUrl)) return prepareLocal(episode.audioUrl, options);
  return (
    (await fetchedBefore(documentSha256, options)) ?? (await fetchAudio(episode.audioUrl, documentSha256, options))
  );
}

async function prepareLocal(file: string, options: PrepareAudioOptions): Promise<AudioRef> {
  const digest = await digestFile(file, options.cancellation).catch((error: unknown) => {
    options.cancellation.throwIfAborted();
    const code = systemCode(error) ?? 'UNREADABLE';
    const reason = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`;
    throw new SourceError({ kind: 'content', code }, `Audio ${file}: ${reason}.`, { cause: error });
  });
  const known = await readAudioCheck(options.corpusDir, digest.sha256);
  const check = known ?? (await checkAudio({ file, place: file, ...digest }, options));
  return { path: file, ...check };
}

/** The file that this document led to before, if it is still there and undamaged. */
async function fetchedBefore(documentSha256: string, options: PrepareAudioOptions): Promise<AudioRef | undefined> {
  const check = await readAudioIndex(options.corpusDir, documentSha256);
  if (check === undefined) return undefined;
  const file = path.join(options.corpusDir, audioPath(check.sha256, check.format));
  if (!(await exists(file))) return undefined;
  const { sha256 } = await digestFile(file, options.cancellation);
  return sha256 === check.sha256 ? { path: file, ...check } : undefined;
}

async function fetchAudio(url: string, documentSha256: string, options: PrepareAudioOptions): Promise<AudioRef> {
  const { corpusDir, cancellation, heartbeat } = options;
  const onProgress = (fetchedBytes: number): void => heartbeat?.({ fetchedBytes });
  const limits = options.limits ?? defaultAudioLimits;
  return downloadAudio(url, { corpusDir, documentSha256, limits, cancellation, onProgress }, async (download) => {
    const check = await checkAudio({ ...download, place: describePlace(url) }, options);
    const file = path.join(corpusDir, audioPath(check.sha256, check.format));
    try {
      await makeDirectory(path.dirname(file));
      await moveInto(download.file, file);
    } catch (error) {
      throw asStoreError(error, file);
    }
    await saveAudioIndex(corpusDir, documentSha256, check);
    return { path: file, ...check };
  });
}

interface Unchecked {
  readonly file: string;
  /** How a message names it. */
  readonly place: string;
  readonly sha256: string;
  readonly bytes: number;
}

async function checkAudio(audio: Unchecked, options: PrepareAudioOptions): Promise<AudioCheck> {
  const sniffed = await sniffAudioFile(audio.file);
  if (sniffed.kind === 'other') throw contentError('NOT_AUDIO', `${audio.place} is not audio: it is ${sniffed.what}.`);
  const durationSec = await decodeAudio(audio.file, {
    ffmpegPath: options.ffmpegPath,
    demuxer: sniffed.demuxer,
    place: audio.place,
    cancellation: options.cancellation,
    onProgress: (decodedSec) => options.heartbeat?.({ decodedSec }),
  });
  const check = { sha256: audio.sha256, bytes: audio.bytes, durationSec, format: sniffed.format };
  await saveAudioCheck(options.corpusDir, check);
  return check;
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
}
