import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SetupContext } from './context.js';
import { checkSha256, installOnce } from './install.js';

/** A file at its official address, with the digest it must have. */
export interface Download {
  readonly url: string;
  readonly sha256: string;
}

const connectTimeoutMs = 20_000;

/**
 * Fetches a file into the cache, checks its digest, and answers its path; a second call finds it there.
 * @throws Error naming the address and what went wrong
 */
export async function installDownload(download: Download, context: SetupContext): Promise<string> {
  const fileName = path.posix.basename(new URL(download.url).pathname);
  const dir = await installOnce(context, downloadDir(download), async (staging) => {
    const file = path.join(staging, fileName);
    await fetchTo(download.url, file);
    await checkSha256(file, [download.sha256]);
  });
  return path.join(dir, fileName);
}

/** The file as an earlier `installDownload` left it in the cache. */
export function installedDownload(download: Download, context: SetupContext): string | undefined {
  const file = path.join(context.cacheDir, downloadDir(download), path.posix.basename(new URL(download.url).pathname));
  return fs.existsSync(file) ? file : undefined;
}

/** Reads `https://host/file#sha256=<hex>`; undefined when the text is not an address at all. */
export function parseDownload(text: string): Download | undefined {
  if (!/^https?:\/\//.test(text)) return undefined;
  const url = new URL(text);
  const sha256 = /^#sha256=([0-9a-f]{64})$/.exec(url.hash)?.[1];
  if (sha256 === undefined) {
    throw new Error(`${url.host}${url.pathname} has no digest; expected the address to end in #sha256=<64 hex digits>`);
  }
  url.hash = '';
  return { url: url.href, sha256 };
}

function downloadDir(download: Download): string {
  return `download-${download.sha256.slice(0, 16)}`;
}

async function fetchTo(url: string, file: string): Promise<void> {
  const { host, pathname } = new URL(url);
  const connecting = new AbortController();
  const timer = setTimeout(() => {
    connecting.abort();
  }, connectTimeoutMs);
  try {
    const response = await fetch(url, { signal: connecting.signal });
    clearTimeout(timer); // from here on a slow line is no fault
    if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
    await pipeline(Readable.fromWeb(response.body), fs.createWriteStream(file));
  } catch (error) {
    throw new Error(`download from ${host}${pathname}: ${reasonOf(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'AbortError') return `no answer within ${connectTimeoutMs / 1000} s`;
  return error.cause instanceof Error ? error.cause.message : error.message;
}
