import fs from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { fieldMissing, HttpProblem } from './http-problem.js';

/** A multipart form: its file streamed to disk, its fields as text. */
export interface Upload {
  readonly file: string;
  readonly fields: ReadonlyMap<string, string>;
}

const limits = { fields: 50, fieldSize: 64 * 1024, files: 1, parts: 60 } as const;

/**
 * Reads a multipart form into `dir`. The file never passes through memory whole.
 * @throws HttpProblem 400 for a broken form, 422 for one without a `file`; passes on the reason of `signal`
 */
export async function readUpload(request: IncomingMessage, dir: string, signal: AbortSignal): Promise<Upload> {
  const contentType = request.headers['content-type'] ?? '';
  if (!contentType.startsWith('multipart/form-data')) {
    request.resume();
    throw new HttpProblem(422, [fieldMissing('file')]);
  }
  const file = path.join(dir, 'upload');
  const fields = new Map<string, string>();
  const files: Promise<void>[] = [];
  const form = parser(contentType);
  form.on('field', (name, value) => fields.set(name, value));
  form.on('file', (name, stream) => {
    if (name !== 'file') {
      stream.resume();
      return;
    }
    const written = pipeline(stream, fs.createWriteStream(file), { signal });
    // It may fail before anybody waits for it: a client that goes away must not take the service with it.
    written.catch(() => undefined);
    files.push(written);
  });
  try {
    await pipeline(request, form, { signal });
    await Promise.all(files);
  } catch {
    await Promise.allSettled(files);
    signal.throwIfAborted();
    throw new HttpProblem(400, 'There was an error parsing the body');
  }
  if (files.length === 0) throw new HttpProblem(422, [fieldMissing('file')]);
  return { file, fields };
}

function parser(contentType: string): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits });
  } catch {
    throw new HttpProblem(400, 'Missing boundary in multipart.'); // of the form's header
  }
}
