import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { resolveFfmpeg } from '../../setup/ffmpeg.js';

/** Path of the ffmpeg that the set-up finds. */
export async function ffmpegPath(): Promise<string> {
  return (await resolveFfmpeg()).path;
}

/** A sine of `seconds` written to `file`, whose extension names the format; returns its bytes. */
export async function makeTone(file: string, seconds: number): Promise<Buffer> {
  const source = ['-f', 'lavfi', '-i', `sine=frequency=300:duration=${seconds}`];
  await promisify(execFile)(await ffmpegPath(), ['-y', '-v', 'error', ...source, '-ac', '1', file]);
  return readFile(file);
}
