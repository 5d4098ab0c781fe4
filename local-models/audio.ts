import { spawn } from 'node:child_process';
import fs from 'node:fs';

/** Every model here takes mono audio at this rate. */
export const sampleRateHz = 16_000;
const bytesPerSample = 4;

/** The bytes are no audio that ffmpeg can decode. */
export class UndecodableAudioError extends Error {
  override readonly name = 'UndecodableAudioError';
}

/**
 * Decodes any audio file to mono 32-bit floats at 16 kHz, written raw to `outFile`. One decoder for every model: the
 * speaker threshold depends on it.
 * @returns the duration in seconds
 * @throws UndecodableAudioError; passes on the reason of `signal`
 */
export async function decodeAudio(
  files: { readonly input: string; readonly output: string },
  ffmpegPath: string,
  signal: AbortSignal,
): Promise<number> {
  const format = ['-vn', '-ac', '1', '-ar', String(sampleRateHz), '-f', 'f32le', '-y', files.output];
  // An upload may be a playlist: only the file itself may be read.
  const input = ['-protocol_whitelist', 'file', '-i', `file:${files.input}`];
  const exitCode = await run(ffmpegPath, ['-nostdin', '-v', 'error', ...input, ...format], signal);
  if (exitCode !== 0) throw new UndecodableAudioError(`ffmpeg ended with exit ${exitCode}`);
  const { size } = await fs.promises.stat(files.output);
  return size / bytesPerSample / sampleRateHz;
}

function run(file: string, args: readonly string[], signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'ignore', signal, killSignal: 'SIGKILL' });
    child.once('error', (error) => {
      reject(signal.aborted ? toError(signal.reason) : error);
    });
    child.once('exit', (code) => {
      resolve(code ?? -1);
    });
  });
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/** Reads what `decodeAudio` wrote. */
export function readSamples(file: string): Float32Array {
  const bytes = fs.readFileSync(file);
  const samples = new Float32Array(Math.floor(bytes.length / bytesPerSample));
  new Uint8Array(samples.buffer).set(bytes.subarray(0, samples.byteLength));
  return samples;
}
