import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describePlace } from '../source/describe-place.js';
import type { FetchLimits } from '../source/fetch-url.js';
import { fetchUrl } from '../source/fetch-url.js';
import { contentError, SourceError } from '../source/source-error.js';
import { systemCode } from '../store/store-error.js';
import { decodeFeed } from './decode-feed.js';
import type { Feed } from './parse-feed.js';
import { parseFeed } from './parse-feed.js';

/** Where audio addresses of a feed are resolved against. */
export type FeedBase = { readonly url: string } | { readonly directory: string };

export const defaultFeedLimits: FetchLimits = { deadlineMs: 120_000, maxBytes: 256 * 1024 * 1024 };

/**
 * Reads a feed from an `http(s)` URL or from a file (path or `file:` URL).
 *
 * @throws SourceError: `transient` where the network failed, `content` where it is not there or not a feed
 */
export async function readFeed(
  feed: string,
  options: FetchLimits & { readonly cancellation: AbortSignal },
): Promise<{ readonly feed: Feed; readonly base: FeedBase }> {
  if (!/^https?:\/\//i.test(feed)) return readLocalFeed(feed, options.maxBytes);
  return fetchUrl(feed, options, async (body) => {
    const chunks: Buffer[] = [];
    for await (const chunk of body.chunks) chunks.push(chunk);
    const text = decodeFeed(Buffer.concat(chunks), body.contentType);
    return { feed: parseFeed(text, describePlace(feed)), base: { url: body.url } };
  });
}

async function readLocalFeed(feed: string, maxBytes: number): Promise<{ feed: Feed; base: FeedBase }> {
  const file = localPath(feed);
  try {
    const { size } = await stat(file);
    if (size > maxBytes) throw contentError('TOO_LARGE', `${file} is larger than the limit of ${maxBytes} bytes.`);
    const text = decodeFeed(await readFile(file), undefined);
    return { feed: parseFeed(text, file), base: { directory: path.dirname(file) } };
  } catch (error) {
    if (error instanceof SourceError) throw error;
    const code = systemCode(error) ?? 'UNREADABLE';
    const reason = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`;
    throw new SourceError({ kind: 'content', code }, `Feed ${file}: ${reason}.`, { cause: error });
  }
}

function localPath(feed: string): string {
  if (/^file:\/\//i.test(feed) && URL.canParse(feed)) return fileURLToPath(feed);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(feed)) {
    throw contentError('NOT_HTTP', 'A feed is an http or https address, or a file.');
  }
  return path.resolve(feed);
}

/**
 * An enclosure's address as `http(s)` URL or absolute path: relative ones against the feed's URL, or its file's folder
 * (which is also what a leading slash means there). Undefined for an address that must not be opened: a feed from the
 * web may not name local files.
 */
export function resolveEnclosure(address: string, base: FeedBase): string | undefined {
  if ('url' in base) return webAddress(address, base.url);
  if (/^https?:/i.test(address)) return webAddress(address, undefined);
  return localFile(address, base.directory);
}

/** A local feed's address of a file: as written where there is such a file (`Talk #1.mp3`), else read as a URL. */
function localFile(address: string, directory: string): string | undefined {
  const relative = /^file:/i.test(address) ? address : address.replace(/^\/+/, '');
  const asWritten = path.resolve(directory, relative);
  if (existsSync(asWritten)) return asWritten;
  const folder = pathToFileURL(`${directory}${path.sep}`).href;
  if (!URL.canParse(relative, folder)) return undefined;
  const url = new URL(relative, folder);
  if (url.protocol !== 'file:' || url.host !== '') return undefined;
  try {
    return fileURLToPath(url);
  } catch {
    return undefined; // an encoded slash, or a percent sign that encodes nothing
  }
}

function webAddress(address: string, base: string | undefined): string | undefined {
  if (!URL.canParse(address, base)) return undefined;
  const url = new URL(address, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}
