import type { Readable } from 'node:stream';

/** The largest answer we read: hours of words with times are a few megabytes. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** `nan`: complete, but with bare `NaN` or `Infinity` as Python writes them; `none`: not JSON, or cut. */
export type ParsedAnswer =
  | { readonly kind: 'json' | 'nan'; readonly value: unknown }
  | { readonly kind: 'none' }
  | { readonly kind: 'tooLarge' };

/** Reads an answer to its end and parses it. Rejects with the stream's own error. */
export async function readAnswer(stream: Readable): Promise<ParsedAnswer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) {
      stream.destroy();
      return { kind: 'tooLarge' };
    }
    chunks.push(chunk);
  }
  return parseAnswer(Buffer.concat(chunks).toString('utf8'));
}

/**
 * Parses an answer. Text that is JSON but for bare `NaN`s is told apart from text that is none: the first comes from a
 * healthy service with a bad answer, the second from something that is not the service.
 */
export function parseAnswer(text: string): ParsedAnswer {
  const value = parsed(text);
  if (value !== undefined) return { kind: 'json', value };
  const withoutNaN = text.replace(/"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|-?\b(?:NaN|Infinity)\b/g, (token) =>
    token.startsWith('"') ? token : 'null',
  );
  const repaired = withoutNaN === text ? undefined : parsed(withoutNaN);
  return repaired === undefined ? { kind: 'none' } : { kind: 'nan', value: repaired };
}

function parsed(text: string): unknown {
  try {
    // Some gateways put a byte order mark in front (RFC 8259 lets a reader ignore it).
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    return undefined;
  }
}
