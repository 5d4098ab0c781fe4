import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { contentError, SourceError } from '../source/source-error.js';

export interface DecodeOptions {
  readonly ffmpegPath: string;
  /** ffmpeg's name of the container, from the file's bytes: it must not guess a playlist and open other files. */
  readonly demuxer: string;
  /** How a message names the file. */
  readonly place: string;
  readonly cancellation: AbortSignal;
  /** Called about twice a second with the seconds decoded so far. */
  readonly onProgress?: ((decodedSec: number) => void) | undefined;
}

/** No audio takes this long to decode; a decoder that does is stuck. */
const decodeDeadlineMs = 30 * 60_000;

/**
 * Decodes the first audio stream of a file wholly and returns its true length in seconds, counted in samples: what the
 * feed or the container claims is often wrong, and every deadline is scaled by it.
 *
 * @throws SourceError: `content` when it does not decode or holds no sound; or the cancellation's own reason
 */
export async function decodeAudio(file: string, options: DecodeOptions): Promise<number> {
  const deadline = AbortSignal.timeout(decodeDeadlineMs);
  const signal = AbortSignal.any([options.cancellation, deadline]);
  const { code, decodedSec } = await runFfmpeg(file, options, signal).catch((error: unknown) => {
    options.cancellation.throwIfAborted();
    const reason = deadline.aborted ? 'did not finish in 30 minutes' : 'could not be run';
    throw transientError(`ffmpeg (${options.ffmpegPath}) ${reason} on ${options.place}.`, error);
  });
  options.cancellation.throwIfAborted();
  if (code === null) throw transientError(`ffmpeg was killed while it decoded ${options.place}.`);
  if (code !== 0) {
    const message = `${options.place} does not decode as ${options.demuxer} audio (ffmpeg exit code ${code}).`;
    throw contentError('NOT_DECODABLE', message);
  }
  if (decodedSec <= 0) throw contentError('NO_SOUND', `${options.place} holds no sound: it decodes to 0 s.`);
  return decodedSec;
}

async function runFfmpeg(
  file: string,
  options: DecodeOptions,
  signal: AbortSignal,
): Promise<{ code: number | null; decodedSec: number }> {
  const child = spawn(options.ffmpegPath, ffmpegArguments(file, options.demuxer), {
    signal,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let decodedSec = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    // Old builds know only the misnamed `out_time_ms`, which is in microseconds too.
    const microseconds = /^out_time_(?:us|ms)=(\d+)$/.exec(line)?.[1];
    if (microseconds === undefined) return;
    decodedSec = Number(microseconds) / 1e6;
    options.onProgress?.(decodedSec);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, decodedSec });
    });
  });
}

function ffmpegArguments(file: string, demuxer: string): string[] {
  const quiet = ['-nostdin', '-hide_banner', '-v', 'error', '-progress', 'pipe:1'];
  const input = ['-protocol_whitelist', 'file', '-f', demuxer, '-i', `file:${file}`, '-map', '0:a:0'];
  // Time by samples, not by the file's time stamps: the services count samples too.
  return [...quiet, ...input, '-af', 'asetpts=N/SR/TB', '-f', 'null', '-'];
}

function transientError(message: string, cause?: unknown): SourceError {
  return new SourceError({ kind: 'transient', code: 'DECODER' }, message, { cause });
}
