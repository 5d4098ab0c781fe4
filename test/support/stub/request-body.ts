import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';

const headBytes = 64 * 1024;

/** What came with a request, the file's bytes already reduced to digest, size and beginning. */
export interface RequestBody {
  readonly fields: Readonly<Record<string, string>>;
  readonly file:
    { readonly sha256: string; readonly bytes: number; readonly name: string; readonly head: Buffer } | undefined;
  /** Body that is neither a form nor audio, as text. */
  readonly text: string;
  /** The same parsed, undefined when it is no JSON. */
  readonly json: unknown;
  readonly bytes: number;
}

/** Reads a request to its end in constant memory where it carries audio. */
export async function readRequestBody(request: IncomingMessage): Promise<RequestBody> {
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('multipart/form-data')) return readForm(request);
  if (type.startsWith('audio/') || type.startsWith('video/') || type === 'application/octet-stream') {
    const file = await digest(request);
    return { fields: {}, file: { ...file, name: '' }, text: '', json: undefined, bytes: file.bytes };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return { fields: {}, file: undefined, text, json: parseJson(text), bytes: Buffer.byteLength(text) };
}

async function readForm(request: IncomingMessage): Promise<RequestBody> {
  const fields: Record<string, string> = {};
  let file: Promise<RequestBody['file']> = Promise.resolve(undefined);
  await new Promise<void>((resolve, reject) => {
    const form = new Busboy({ headers: request.headers as BusboyHeaders });
    form.on('field', (name: string, value: string) => {
      fields[name] = name in fields ? `${fields[name] ?? ''},${value}` : value;
    });
    form.on('file', (field: string, stream: AsyncIterable<Buffer>, name: string) => {
      const digested = digest(stream);
      if (field === 'file') file = digested.then((result) => ({ ...result, name }));
    });
    form.once('finish', resolve);
    form.once('error', reject);
    request.once('error', reject);
    request.once('aborted', () => {
      reject(new Error('upload cut'));
    });
    request.pipe(form);
  });
  const received = await file;
  return { fields, file: received, text: '', json: undefined, bytes: received?.bytes ?? 0 };
}

async function digest(stream: AsyncIterable<Buffer>): Promise<{ sha256: string; bytes: number; head: Buffer }> {
  const hash = createHash('sha256');
  let bytes = 0;
  let head = Buffer.alloc(0);
  for await (const chunk of stream) {
    hash.update(chunk);
    bytes += chunk.length;
    if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
  }
  return { sha256: hash.digest('hex'), bytes, head };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
