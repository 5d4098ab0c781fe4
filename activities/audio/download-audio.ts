import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { incomingAudioDir } from '../../src/corpus-layout.js';
import type { FetchedBody, FetchLimits } from '../source/fetch-url.js';
import { fetchUrl } from '../source/fetch-url.js';
import { temporarySuffix } from '../store/atomic-file.js';
import { makeDirectory } from '../store/make-directory.js';
import { asStoreError } from '../store/store-error.js';

export interface DownloadOptions {
  readonly corpusDir: string;
  /** Names the temporary file, so that a later attempt finds and removes what a killed one left. */
  readonly documentSha256: string;
  readonly limits: FetchLimits;
  readonly cancellation: AbortSignal;
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

export interface Download {
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * Streams a URL into a synced temporary file in the corpus's audio area, hands it to `use`, and removes what `use` has
 * not moved away. Constant memory.
 *
 * @throws SourceError, StoreError, or the cancellation's own reason
 */
export async function downloadAudio<T>(
  url: string,
  options: DownloadOptions,
  use: (download: Download) => Promise<T>,
): Promise<T> {
  const file = await freshFile(options);
  try {
    const digest = await fetchUrl(url, { ...options.limits, cancellation: options.cancellation }, (body) =>
      storeBody(body, file, options.onProgress),
    );
    return await use({ file, ...digest });
  } finally {
    await rm(file, { force: true });
  }
}

async function freshFile({ corpusDir, documentSha256 }: DownloadOptions): Promise<string> {
  const directory = path.join(corpusDir, incomingAudioDir);
  try {
    await makeDirectory(directory);
    const stale = (await readdir(directory)).filter((name) => name.startsWith(documentSha256));
    await Promise.all(stale.map((name) => rm(path.join(directory, name), { force: true })));
  } catch (error) {
    throw asStoreError(error, directory);
  }
  return path.join(directory, `${documentSha256}.${randomUUID()}${temporarySuffix}`);
}

async function storeBody(
  body: FetchedBody,
  file: string,
  onProgress: ((bytes: number) => void) | undefined,
): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const handle = await storing(file, () => open(file, 'wx'));
  try {
    for await (const chunk of body.chunks) {
      hash.update(chunk);
      await storing(file, () => handle.writeFile(chunk)); // on a handle it goes on from where the last write ended
      bytes += chunk.length;
      onProgress?.(bytes);
    }
    await storing(file, () => handle.sync());
  } finally {
    await handle.close();
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** The disk's faults become `StoreError` here, where they cannot be taken for the network's. */
async function storing<T>(file: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw asStoreError(error, file);
  }
}
