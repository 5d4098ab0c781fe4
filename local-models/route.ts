import fs from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { decodeAudio, UndecodableAudioError } from './audio.js';
import { HttpProblem } from './http-problem.js';
import { readUpload } from './upload.js';

/** An upload decoded for the models. */
export interface DecodedAudio {
  readonly samplesFile: string;
  readonly durationSec: number;
}

export interface AudioRequest {
  readonly fields: ReadonlyMap<string, string>;
  /** Decodes the upload. @throws HttpProblem as speaches answers: 400 when it is empty, 415 when it is no audio */
  decode(): Promise<DecodedAudio>;
  /** Fires when the client has gone. */
  readonly signal: AbortSignal;
}

/** Takes the upload of a request, gives it to `work`, and leaves no file behind. */
export async function withUpload<Answer>(
  http: { readonly request: IncomingMessage; readonly response: ServerResponse },
  ffmpegPath: string,
  work: (request: AudioRequest) => Promise<Answer>,
): Promise<Answer> {
  const signal = disconnectSignal(http.response);
  const dir = await fs.promises.mkdtemp(path.join(os.tmpdir(), 'holdfast-upload-'));
  try {
    const { file, fields } = await readUpload(http.request, dir, signal);
    const decode = (): Promise<DecodedAudio> =>
      decodeUpload({ input: file, output: path.join(dir, 'samples') }, ffmpegPath, signal);
    return await work({ fields, decode, signal });
  } finally {
    await fs.promises.rm(dir, { recursive: true, force: true });
  }
}

async function decodeUpload(
  files: { readonly input: string; readonly output: string },
  ffmpegPath: string,
  signal: AbortSignal,
): Promise<DecodedAudio> {
  const empty = new HttpProblem(400, 'Failed to decode audio. The provided file is likely empty.');
  if ((await fs.promises.stat(files.input)).size === 0) throw empty;
  try {
    const durationSec = await decodeAudio(files, ffmpegPath, signal);
    if (durationSec === 0) throw empty;
    return { samplesFile: files.output, durationSec };
  } catch (error) {
    if (!(error instanceof UndecodableAudioError)) throw error;
    throw new HttpProblem(415, 'Failed to decode audio. The provided file type is not supported.');
  }
}

/** The client has gone when the connection closes before the answer is sent. */
function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(new ClientGoneError());
  });
  return controller.signal;
}

/** Nobody waits for the answer any more. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}
