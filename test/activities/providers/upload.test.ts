import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { HttpWireShape } from '../../../activities/providers/index.js';
import type { AudioRef } from '../../../src/artifact.js';
import { failureOf, options, play, transcribe, wavFile, work } from './support.js';
import { moss } from '../../../activities/providers/moss.js';

const root = path.join(__dirname, '..', '..', '..');
const mebibyte = 1024 * 1024;

/** A file of zeros that takes no room on the disk. */
async function sparseFile(folder: string, bytes: number): Promise<AudioRef> {
  const file = path.join(folder, 'long.mp3');
  const handle = await open(file, 'w');
  await handle.truncate(bytes);
  await handle.close();
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk);
  return { path: file, sha256: hash.digest('hex'), bytes, durationSec: 60, format: 'mp3' };
}

describe('uploading 800 MB', () => {
  let folder = '';
  let audio: AudioRef;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'holdfast-upload-'));
    audio = await sparseFile(folder, 800 * mebibyte);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each(['openai-transcription', 'deepgram'] as HttpWireShape[])('costs %s no more than 100 MiB', async (wire) => {
    const { stub, endpoint, service } = await play(wire, { durationSec: 60 });
    const child = [
      path.join(root, 'bin', 'register.js'),
      path.join(root, 'test', 'support', 'upload', 'main.ts'),
    ] as const;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '-r',
      child[0],
      child[1],
      JSON.stringify({ audio, service }),
    ]);
    const { grownBytes } = JSON.parse(stdout) as { grownBytes: number };
    console.log(`${wire}: uploading 800 MB grew the process by ${Math.round(grownBytes / mebibyte)} MiB`);
    const [received] = endpoint.calls.filter((call) => call.kind === 'work');
    expect(received).toMatchObject({ fileSha256: audio.sha256, bytes: audio.bytes, status: 200 });
    expect(grownBytes).toBeLessThanOrEqual(100 * mebibyte);
    await stub.close();
  });
});

describe('checkLimits', () => {
  it('refuses what the service would refuse, before it is sent', async () => {
    const { stub, endpoint, service } = await play('openai-transcription', { model: 'gpt-4o-transcribe' });
    const long = { ...wavFile(1), durationSec: 1401 };
    const large = { ...wavFile(1), bytes: 26_214_400 };
    const small = { ...service, limits: { maxBytes: 5000 } };
    for (const [audio, to] of [
      [long, service],
      [large, service],
      [wavFile(1), small],
    ] as const) {
      expect((await failureOf(transcribe('openai-transcription')(audio, to, options()))).type).toBe('ContentRejected');
    }
    expect(endpoint.calls).toEqual([]);
    await stub.close();
  });

  it('sends whole episodes to servers that have no limits', async () => {
    const { stub, service } = await play('openai-transcription');
    const audio = { ...wavFile(1), durationSec: 7200, bytes: 30_000_000 };
    await expect(transcribe('openai-transcription')(audio, service, options())).resolves.toBeDefined();
    await stub.close();
  });

  it('refuses the speakers of audio longer than MOSS takes in one request', async () => {
    const { stub, endpoint, service } = await play('moss');
    const long = { ...wavFile(1), durationSec: 1501 };
    expect((await failureOf(moss.diarize?.(long, service, options()) ?? Promise.resolve())).details.code).toBe(
      'audio_too_long',
    );
    expect(endpoint.calls).toEqual([]);
    await stub.close();
  });
});

describe('openAudio', () => {
  it('refuses a file that is not there any more', async () => {
    const { stub, service } = await play('moss');
    const gone = { ...wavFile(1), path: '/nowhere/audio.wav' };
    expect(await failureOf(transcribe('moss')(gone, service, options()))).toMatchObject({
      type: 'ContentRejected',
      details: { code: 'ENOENT' },
    });
    await stub.close();
  });

  it('names the file by its format, never by the episode', async () => {
    const { stub, endpoint, service } = await play('moss');
    await work(service);
    expect(endpoint.calls[0]).toMatchObject({ fileName: 'audio.wav' });
    await stub.close();
  });
});
