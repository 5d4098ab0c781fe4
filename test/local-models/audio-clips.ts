import { execFileSync } from 'node:child_process';
import { resolveFfmpeg } from '../../setup/ffmpeg.js';
import { exampleAudio } from './local-models-rig.js';

/** A part of an example's audio, as WAV. */
export function clip(name: string, part: { readonly startSec: number; readonly lengthSec: number }): Promise<Blob> {
  const from = ['-ss', String(part.startSec), '-t', String(part.lengthSec), '-i', exampleAudio(name)];
  return wave(from);
}

export function silence(lengthSec: number): Promise<Blob> {
  return wave(['-f', 'lavfi', '-t', String(lengthSec), '-i', 'anullsrc=r=16000:cl=mono']);
}

/** An example over and over: audio long enough for a call to be interrupted. */
export function looped(name: string, times: number): Promise<Blob> {
  return wave(['-stream_loop', String(times), '-i', exampleAudio(name)]);
}

async function wave(input: readonly string[]): Promise<Blob> {
  const { path } = await resolveFfmpeg();
  const bytes = execFileSync(path, ['-v', 'error', ...input, '-f', 'wav', '-'], { maxBuffer: 256 * 1024 * 1024 });
  return new Blob([new Uint8Array(bytes)]);
}
