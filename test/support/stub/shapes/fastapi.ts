import { spokenWords, type Speech } from '../canned-speech.js';
import { jsonReply, openAiModelList, type InferenceCall, type Reply, type Shape } from './shape.js';

const error = (status: number, message: string): Reply => jsonReply(status, { detail: message });

const missingField = (field: string): Reply =>
  jsonReply(422, { detail: [{ type: 'missing', loc: ['body', field], msg: 'Field required', input: null }] });

const transcriptionFields = [
  'model',
  'language',
  'prompt',
  'response_format',
  'temperature',
  'timestamp_granularities[]',
  'hotwords',
  'without_timestamps',
  'stream',
];

/** OpenAI's verbose transcription: text, timed segments, words where they were asked for. */
export function verboseTranscription(call: InferenceCall): object {
  const { segments, durationSec } = call.speech;
  const wantsWords = call.body.fields['timestamp_granularities[]']?.includes('word') ?? false;
  return {
    task: 'transcribe',
    language: 'en',
    duration: durationSec,
    text: textOf(call.speech),
    segments: segments.map(({ start, end, text }, id) => ({ id, seek: 0, start, end, text: ` ${text}`, tokens: [] })),
    words: wantsWords ? segments.flatMap(spokenWords) : null,
  };
}

export function textOf(speech: Speech): string {
  return speech.segments.map((segment) => segment.text).join(' ');
}

/** speaches / faster-whisper-server: the answer names no model, the list of models does. */
export const speaches: Shape = {
  kindOf(method, path) {
    if (method === 'POST' && path === '/v1/audio/transcriptions') return 'inference';
    if (method === 'GET' && path === '/health') return 'health';
    return method === 'GET' && (path === '/v1/models' || path === '/api/ps') ? 'models' : undefined;
  },
  modelAsked: (body) => body.fields['model'],
  formFields: transcriptionFields,
  health: (_model, loading) => (loading ? error(503, 'loading') : jsonReply(200, { message: 'OK' })),
  models: (model) => openAiModelList(model, { language: ['en'], task: 'automatic-speech-recognition' }),
  refusal(call) {
    const { fields, file } = call.body;
    if (!file) return missingField('file');
    if (fields['model'] === undefined) return missingField('model');
    if (fields['model'] !== call.model && call.mode !== 'wrong-model') {
      return error(
        404,
        `Model '${fields['model']}' is not installed locally. You can download the model using \`POST /v1/models\``,
      );
    }
    if (file.bytes === 0) return error(400, 'Failed to decode audio. The provided file is likely empty.');
    return undefined;
  },
  answer: (call) => transcriptionReply(call),
  error,
};

/** The GPU box's openai-whisper server: ignores the model asked for, and would rather not see a temperature. */
export const whisper: Shape = {
  ...speaches,
  health: (model, loading) =>
    loading ? error(503, 'whisper model not yet loaded') : jsonReply(200, { status: 'ok', model, device: 'cuda' }),
  models: (model) => openAiModelList(model),
  refusal(call) {
    if (!call.body.file) return missingField('file');
    const format = call.body.fields['response_format'] ?? 'json';
    return ['json', 'text', 'verbose_json'].includes(format)
      ? undefined
      : error(400, 'response_format must be one of json, text, verbose_json');
  },
};

function transcriptionReply(call: InferenceCall): Reply {
  const format = call.body.fields['response_format'] ?? 'json';
  if (call.mode === 'bad-schema') return jsonReply(200, { text: 42, segments: 'none' });
  return format === 'verbose_json'
    ? jsonReply(200, verboseTranscription(call))
    : jsonReply(200, { text: textOf(call.speech) });
}

/** MOSS transcribe-diarize: one call, text and speakers. Its health is 200 also while it loads. */
export const moss: Shape = {
  kindOf(method, path) {
    if (method === 'POST' && path === '/v1/transcribe') return 'inference';
    if (method === 'GET' && path === '/health') return 'health';
    return method === 'GET' && path === '/v1/models' ? 'models' : undefined;
  },
  modelAsked: () => undefined,
  formFields: [],
  health: (model, loading) => jsonReply(200, { status: loading ? 'loading' : 'ok', model }),
  models: (model) => openAiModelList(model),
  refusal: (call) =>
    call.body.file ? (call.body.file.bytes === 0 ? error(400, 'empty audio') : undefined) : missingField('file'),
  answer(call) {
    if (call.mode === 'bad-schema') return jsonReply(200, { model: call.model, segments: 'none' });
    const segments = call.speech.segments.map(({ start, end, text, speaker }) => ({
      start,
      end,
      speaker: `S0${speaker + 1}`,
      text,
    }));
    const speakers = [...new Set(segments.map((segment) => segment.speaker))].sort();
    return jsonReply(200, {
      model: call.model,
      text: textOf(call.speech),
      segments,
      speakers,
      num_speakers: speakers.length,
    });
  },
  error,
};

/** pyannote service: who spoke when. */
export const pyannote: Shape = {
  ...moss,
  kindOf: (method, path) =>
    method === 'POST' && path === '/v1/diarize'
      ? 'inference'
      : path === '/v1/transcribe'
        ? undefined
        : moss.kindOf(method, path),
  formFields: ['num_speakers', 'min_speakers', 'max_speakers'],
  health: (model, loading) =>
    loading ? error(503, 'pyannote pipeline not yet loaded') : jsonReply(200, { status: 'ok', model }),
  refusal(call) {
    if (!call.body.file) return missingField('file');
    const min = Number(call.body.fields['min_speakers'] ?? 2);
    const max = Number(call.body.fields['max_speakers'] ?? 20);
    if (min > max) return error(400, `invalid speaker bounds: min=${min}, max=${max}`);
    if (call.mode === 'no-speech-422') return error(422, 'pyannote produced no speaker segments for this audio');
    return undefined;
  },
  answer(call) {
    if (call.mode === 'bad-schema') return jsonReply(200, { model_name: call.model, segments: 'none' });
    const segments = call.speech.segments.map(({ start, end, speaker }) => ({
      start,
      end,
      speaker: `SPEAKER_0${speaker}`,
    }));
    return jsonReply(200, {
      model_name: call.model,
      num_speakers: new Set(segments.map((segment) => segment.speaker)).size,
      segments,
    });
  },
};
