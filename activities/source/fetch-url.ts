import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { Agent, request } from 'undici';
import { describePlace } from './describe-place.js';
import { asSourceError, statusError } from './fetch-failure.js';
import { contentError, SourceError } from './source-error.js';

export interface FetchLimits {
  /** Over connecting, redirects, headers and body. */
  readonly deadlineMs: number;
  /** Of the decoded body; more is a content error. */
  readonly maxBytes: number;
  /** Longest silence of the server, before the headers or inside the body. Default 60,000. */
  readonly idleTimeoutMs?: number;
}

export interface FetchedBody {
  /** Where the redirects led. */
  readonly url: string;
  readonly contentType: string | undefined;
  /** The body, decoded, within the limits; iterating it throws `SourceError`. */
  readonly chunks: AsyncIterable<Buffer>;
}

const maxRedirects = 10;
const userAgent = 'holdfast/0.1 (podcast reprocessing)';

/**
 * GETs `url` once (no retry: that belongs to Temporal), follows at most 10 redirects, and hands the body to `consume`.
 * The connection is closed when `consume` is through, whatever happened.
 *
 * @throws SourceError, or the cancellation's own reason
 */
export async function fetchUrl<T>(
  url: string,
  options: FetchLimits & { readonly cancellation: AbortSignal },
  consume: (body: FetchedBody) => Promise<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(options.deadlineMs);
  const signal = AbortSignal.any([options.cancellation, deadline]);
  const idle = options.idleTimeoutMs ?? 60_000;
  const agent = new Agent({ headersTimeout: idle, bodyTimeout: idle, connect: { timeout: idle } });
  try {
    const { response, finalUrl } = await followRedirects(url, { dispatcher: agent, signal });
    const contentType = headerOf(response, 'content-type');
    return await consume({ url: finalUrl, contentType, chunks: capped(response, finalUrl, options.maxBytes) });
  } catch (error) {
    if (options.cancellation.aborted) throw options.cancellation.reason;
    if (deadline.aborted) throw deadlineError(url, options.deadlineMs);
    throw asSourceError(error, url);
  } finally {
    await agent.destroy();
  }
}

interface RequestOptions {
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
}

async function followRedirects(
  start: string,
  options: RequestOptions,
): Promise<{ response: Dispatcher.ResponseData; finalUrl: string }> {
  const seen = new Set<string>();
  let url = httpUrl(start, undefined);
  while (seen.size <= maxRedirects) {
    if (seen.has(url)) throw contentError('REDIRECT_LOOP', `${describePlace(start)} redirects in a circle.`);
    seen.add(url);
    const response = await request(url, { ...options, headers: headersFor(url) });
    const location = headerOf(response, 'location');
    if (response.statusCode === 200) return { response, finalUrl: url };
    if (response.statusCode < 300 || response.statusCode > 399 || location === undefined) {
      throw statusError(response.statusCode, url);
    }
    await response.body.dump();
    url = httpUrl(location, url);
  }
  throw contentError('TOO_MANY_REDIRECTS', `${describePlace(start)} redirects more than ${maxRedirects} times.`);
}

/** User name and password of a private feed's address go to the host that they were given for, and no further. */
function headersFor(url: string): Record<string, string> {
  const { username, password } = new URL(url);
  const headers = { 'user-agent': userAgent, 'accept-encoding': 'gzip, deflate, br', accept: '*/*' };
  if (username === '') return headers;
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`, 'utf8');
  return { ...headers, authorization: `Basic ${credentials.toString('base64')}` };
}

/** A feed from the web must not make us read local files: only http and https, at the start and after each redirect. */
function httpUrl(address: string, base: string | undefined): string {
  const url = URL.canParse(address, base) ? new URL(address, base) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href;
  const where = base === undefined ? '' : `${describePlace(base)} redirects to `;
  const what = url === undefined ? 'something that is not a URL' : `a ${url.protocol} address`;
  throw contentError('NOT_HTTP', `${where}${what}; only http and https are fetched.`);
}

async function* capped(response: Dispatcher.ResponseData, url: string, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of decoded(response)) {
    const buffer = chunk as Buffer; // a stream without an encoding gives buffers
    bytes += buffer.length;
    if (bytes > maxBytes) {
      throw contentError('TOO_LARGE', `${describePlace(url)} is larger than the limit of ${maxBytes} bytes.`);
    }
    yield buffer;
  }
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

function decoded(response: Dispatcher.ResponseData): Readable {
  const createDecoder = decoders[headerOf(response, 'content-encoding')?.trim().toLowerCase() ?? ''];
  // The callback is there because pipeline wants one; the error itself reaches the reader of the last stream.
  return createDecoder === undefined ? response.body : pipeline(response.body, createDecoder(), () => undefined);
}

function headerOf(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function deadlineError(url: string, deadlineMs: number): SourceError {
  const message = `${describePlace(url)} was not read within ${deadlineMs / 1000} s.`;
  return new SourceError({ kind: 'transient', code: 'DEADLINE' }, message);
}
