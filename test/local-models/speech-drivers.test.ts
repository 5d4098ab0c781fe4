import fs from 'node:fs';
import path from 'node:path';
import { wordErrorRate, wordErrors } from '../../bench/local-scoring.js';
import { startLocalModels, type LocalModels } from '../../local-models/start-local-models.js';
import { resolveWhisperModel, type WhisperForm } from '../../setup/whisper-model.js';
import { setupContext } from '../../setup/context.js';
import { localParts, openExample, post } from './local-models-rig.js';

const name = 'one-graphics-card';
const script = fs.readFileSync(path.join(__dirname, '..', '..', 'examples', 'transcripts', `${name}.txt`), 'utf8');

interface Segment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** whisper.cpp has builds for some platforms only; sherpa-onnx for all that Node has. */
describe.each<[string, WhisperForm]>([
  ['whisper.cpp', 'ggml'],
  ['sherpa-onnx', 'onnx'],
])('speech driver %s', (_driver, form) => {
  let service: LocalModels;
  beforeAll(async () => {
    const { path: whisperModelPath } = await resolveWhisperModel(setupContext(), { form });
    service = await startLocalModels({ ...(await localParts()), whisperModelPath });
  });
  afterAll(() => service.stop());

  it('recognises an episode longer than one window, in segments that follow each other', async () => {
    const url = `${service.url}/v1/audio/transcriptions`;
    const fields = { model: 'whisper-tiny.en', response_format: 'verbose_json' };
    const { body } = await post(url, fields, { file: await openExample(name) });
    const { text, duration, segments } = body as { text: string; duration: number; segments: Segment[] };
    expect(wordErrorRate([wordErrors(script, text)])).toBeLessThan(0.1);
    const times = segments.flatMap(({ start, end }) => [start, end]);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(segments.length).toBeGreaterThan(8);
    expect(times.at(-1)).toBeLessThanOrEqual(duration + 0.5);
  });

  it('is served under the same id', () => {
    expect(service.models[0]).toBe('whisper-tiny.en');
  });
});
