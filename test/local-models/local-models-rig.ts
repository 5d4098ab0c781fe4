import fs from 'node:fs';
import path from 'node:path';
import { startLocalModels, type LocalModels, type LocalModelsOptions } from '../../local-models/start-local-models.js';
import { resolveFfmpeg } from '../../setup/ffmpeg.js';
import { resolveSpeakerModels } from '../../setup/speaker-models.js';
import { resolveWhisperModel } from '../../setup/whisper-model.js';

export const exampleAudio = (name: string): string =>
  path.join(__dirname, '..', '..', 'examples', 'audio', `${name}.mp3`);

/** The parts as the set-up finds them. */
export async function localParts(): Promise<LocalModelsOptions> {
  const speakers = await resolveSpeakerModels();
  return {
    ffmpegPath: (await resolveFfmpeg()).path,
    whisperModelPath: (await resolveWhisperModel()).path,
    segmentationPath: speakers.segmentation.path,
    embeddingPath: speakers.embedding.path,
  };
}

/** The service on real models, started once for the tests of a `describe`. */
export function useLocalModels(options: Partial<LocalModelsOptions> = {}): () => LocalModels {
  let service: LocalModels | undefined;
  beforeAll(async () => {
    service = await startLocalModels({ ...(await localParts()), ...options });
  });
  afterAll(() => service?.stop());
  return () => {
    if (!service) throw new Error('the local models were not started');
    return service;
  };
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Posts a form; `file` is sent as it is, under a name that ends in .mp3. */
export async function post(
  url: string,
  fields: Readonly<Record<string, string>>,
  upload: { readonly file?: Blob; readonly signal?: AbortSignal } = {},
): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (upload.file) form.append('file', upload.file, 'audio.mp3');
  const response = await fetch(url, {
    method: 'POST',
    body: form,
    ...(upload.signal ? { signal: upload.signal } : {}),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type') === 'application/json';
  return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text };
}

/** An example as it stands. */
export function openExample(name: string): Promise<Blob> {
  return fs.openAsBlob(exampleAudio(name));
}
