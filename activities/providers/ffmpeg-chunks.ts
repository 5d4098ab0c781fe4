import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AudioRef } from '../../src/artifact.js';
import type { ChunkTools } from './chunked-transcription.js';
import type { AudioWindow } from './merge-chunks.js';

const leastKbps = 32;
const mostKbps = 192;

/**
 * Cuts windows with ffmpeg, as MP3 at about the source's bitrate. Encoded the same way every time: a service that caches
 * by digest, or goes on computing after a disconnect, then knows the chunk again.
 */
export function ffmpegChunks(ffmpegPath: string): Pick<ChunkTools, 'cut'> {
  return {
    async cut(audio, { window, signal }, use) {
      const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-chunk-'));
      try {
        const file = path.join(folder, 'chunk.mp3');
        await run(ffmpegPath, ffmpegArguments(audio, window, file), signal);
        return await use(await describe(file, window));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

function ffmpegArguments(audio: AudioRef, { startSec, endSec }: AudioWindow, file: string): string[] {
  const kbps = Math.round((audio.bytes * 8) / audio.durationSec / 1000);
  const quiet = ['-nostdin', '-hide_banner', '-v', 'error', '-y'];
  const input = ['-protocol_whitelist', 'file', '-ss', startSec.toFixed(3), '-i', `file:${audio.path}`];
  const plain = ['-map', '0:a:0', '-map_metadata', '-1', '-fflags', '+bitexact', '-flags:a', '+bitexact'];
  const output = ['-c:a', 'libmp3lame', '-b:a', `${Math.min(mostKbps, Math.max(leastKbps, kbps))}k`, '-f', 'mp3'];
  return [...quiet, ...input, '-t', (endSec - startSec).toFixed(3), ...plain, ...output, file];
}

async function run(command: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  const child = spawn(command, args, { signal, killSignal: 'SIGKILL', stdio: 'ignore' });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`ffmpeg ended with code ${String(code)} while it cut a chunk.`);
}

async function describe(file: string, { startSec, endSec }: AudioWindow): Promise<AudioRef> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk);
  const { size } = await stat(file);
  return { path: file, sha256: hash.digest('hex'), bytes: size, durationSec: endSec - startSec, format: 'mp3' };
}
