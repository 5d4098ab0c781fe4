import { openExample, post, useLocalModels } from './local-models-rig.js';
import { clip, silence } from './audio-clips.js';

interface TranscriptionBody {
  readonly text: string;
  readonly duration: number;
  readonly segments: { readonly start: number; readonly end: number; readonly text: string }[];
}
interface DiarizationBody {
  readonly model_name: string;
  readonly num_speakers: number;
  readonly segments: { readonly start: number; readonly end: number; readonly speaker: string }[];
}

const speechModel = 'whisper-tiny.en';
const speakerModel = 'pyannote-segmentation-3.0+campplus';

describe('local model service', () => {
  const service = useLocalModels();
  const transcriptions = (): string => `${service().url}/v1/audio/transcriptions`;
  const diarizations = (): string => `${service().url}/v1/diarize`;

  it('names the exact ids of its models', async () => {
    const response = await fetch(`${service().url}/v1/models`);
    const { data } = (await response.json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual([speechModel, speakerModel]);
  });

  it('is healthy', async () => {
    const response = await fetch(`${service().url}/health`);
    expect([response.status, await response.json()]).toEqual([200, { message: 'OK', status: 'ok' }]);
  });

  describe('POST /v1/audio/transcriptions', () => {
    it('transcribes speech with timed segments', async () => {
      const file = await clip('one-graphics-card', { startSec: 0, lengthSec: 14 });
      const fields = { model: speechModel, response_format: 'verbose_json' };
      const { status, body } = await post(transcriptions(), fields, { file });
      const { text, duration, segments } = body as TranscriptionBody;
      expect(status).toBe(200);
      expect(text).toContain('Patient Machines. I am Clara Bennett.');
      expect(duration).toBeCloseTo(14, 0);
      expect(segments.map((segment) => segment.text).join(' ')).toBe(text);
      expect(segments.at(-1)?.end).toBeLessThanOrEqual(14.5);
    });

    it('answers json with the text alone', async () => {
      const file = await clip('one-graphics-card', { startSec: 0, lengthSec: 4 });
      const { body } = await post(transcriptions(), { model: speechModel }, { file });
      expect(Object.keys(body as object)).toEqual(['text']);
    });

    it('answers nothing said with an empty list', async () => {
      const fields = { model: speechModel, response_format: 'verbose_json' };
      const { status, body } = await post(transcriptions(), fields, { file: await silence(3) });
      expect(status).toBe(200);
      expect(body).toMatchObject({ text: '', segments: [] });
      expect((body as TranscriptionBody).duration).toBeCloseTo(3, 1);
    });

    it('answers 404 for a model that it does not serve', async () => {
      const { status, body } = await post(transcriptions(), { model: 'whisper-large' }, { file: await silence(1) });
      expect(status).toBe(404);
      expect(body).toEqual({
        detail: `Model 'whisper-large' is not installed locally. Installed here: '${speechModel}'`,
      });
    });

    it('answers 415 for what is no audio', async () => {
      const answer = await post(transcriptions(), { model: speechModel }, { file: new Blob(['<html></html>']) });
      const detail = 'Failed to decode audio. The provided file type is not supported.';
      expect(answer).toEqual({ status: 415, body: { detail } });
    });

    it('answers 400 for an empty file', async () => {
      const answer = await post(transcriptions(), { model: speechModel }, { file: new Blob([]) });
      const detail = 'Failed to decode audio. The provided file is likely empty.';
      expect(answer).toEqual({ status: 400, body: { detail } });
    });

    it('answers 422 for a format that it does not write', async () => {
      const fields = { model: speechModel, response_format: 'srt' };
      const { status, body } = await post(transcriptions(), fields, { file: await silence(1) });
      expect(status).toBe(422);
      expect(body).toMatchObject({ detail: [{ type: 'enum', loc: ['body', 'response_format'], input: 'srt' }] });
    });

    it.each(['file', 'model'])('answers 422 when there is no %s', async (field) => {
      const fields = field === 'model' ? {} : { model: speechModel };
      const upload = field === 'file' ? {} : { file: await silence(1) };
      const { status, body } = await post(transcriptions(), fields, upload);
      expect(status).toBe(422);
      expect(body).toEqual({ detail: [{ type: 'missing', loc: ['body', field], msg: 'Field required', input: null }] });
    });

    it('answers 400 for a form that ends too early', async () => {
      const response = await fetch(transcriptions(), {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
        body: '--x\r\ncontent-disposition: form-data; name="file"; filename="a.mp3"\r\n\r\nabc',
      });
      expect([response.status, await response.json()]).toEqual([
        400,
        { detail: 'There was an error parsing the body' },
      ]);
    });
  });

  describe('POST /v1/diarize', () => {
    it('tells two speakers apart, numbered in the order they speak', async () => {
      const { status, body } = await post(diarizations(), {}, { file: await openExample('honest-archive') });
      const { model_name, num_speakers, segments } = body as DiarizationBody;
      expect([status, model_name, num_speakers]).toEqual([200, speakerModel, 2]);
      expect(segments[0]?.speaker).toBe('SPEAKER_00');
      expect(segments[1]?.speaker).toBe('SPEAKER_01');
    });

    it('finds one speaker when told that there is one', async () => {
      const file = await clip('honest-archive', { startSec: 0, lengthSec: 30 });
      const { body } = await post(diarizations(), { num_speakers: '1' }, { file });
      expect((body as DiarizationBody).num_speakers).toBe(1);
    });

    it('answers 422, as a sentence, when nobody speaks', async () => {
      const answer = await post(diarizations(), {}, { file: await silence(5) });
      const detail = 'pyannote produced no speaker segments for this audio';
      expect(answer).toEqual({ status: 422, body: { detail } });
    });

    it('answers 415 for what is no audio', async () => {
      const { status } = await post(diarizations(), {}, { file: new Blob(['<html></html>']) });
      expect(status).toBe(415);
    });

    it.each([
      [{ num_speakers: '0' }, 400, 'num_speakers must be >= 1, got 0'],
      [{ min_speakers: '5', max_speakers: '2' }, 400, 'invalid speaker bounds: min=5, max=2'],
      [{ min_speakers: '0' }, 422, [{ type: 'greater_than_equal', loc: ['body', 'min_speakers'], ctx: { ge: 1 } }]],
      [{ num_speakers: 'two' }, 422, [{ type: 'int_parsing', loc: ['body', 'num_speakers'], input: 'two' }]],
    ])('answers %j with %d', async (fields: Record<string, string>, status, detail) => {
      const answer = await post(diarizations(), fields, { file: await silence(1) });
      expect(answer).toMatchObject({ status, body: { detail } });
    });
  });

  it('answers 404 for another path and 405 for another method', async () => {
    const absent = await fetch(`${service().url}/v1/nothing`);
    const wrong = await fetch(`${service().url}/v1/diarize`);
    expect([absent.status, await absent.json()]).toEqual([404, { detail: 'Not Found' }]);
    expect([wrong.status, await wrong.json()]).toEqual([405, { detail: 'Method Not Allowed' }]);
  });
});
