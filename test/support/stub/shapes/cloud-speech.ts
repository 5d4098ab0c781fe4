import { spokenWords } from '../canned-speech.js';
import { speaches, textOf, verboseTranscription } from './fastapi.js';
import { jsonReply, openAiModelList, type Reply, type Shape } from './shape.js';

const openAiMaxBytes = 26_214_400;
const openAiMaxSec = 1400;

/** Errors as OpenAI and its imitators write them; `code` is a string or null. */
export function openAiError(status: number, message: string, code?: string): Reply {
  const type = status >= 500 || status === 413 ? 'server_error' : 'invalid_request_error';
  return jsonReply(status, { error: { message, type, param: null, code: code ?? null } });
}

const formatsOf = (model: string): string[] => {
  if (model === 'whisper-1') return ['json', 'text', 'srt', 'verbose_json', 'vtt'];
  return model.endsWith('-diarize') ? ['json', 'text', 'diarized_json'] : ['json'];
};

/** OpenAI's transcriptions with its limits: bytes of the request, seconds for the gpt-4o models. */
export const openAiTranscription: Shape = {
  ...speaches,
  kindOf: (method, path) =>
    method === 'POST' && path === '/v1/audio/transcriptions'
      ? 'inference'
      : method === 'GET' && path.startsWith('/v1/models')
        ? 'models'
        : undefined,
  formFields: [...(speaches.formFields ?? []), 'chunking_strategy', 'include[]', 'known_speaker_names[]'],
  models: (model) => openAiModelList(model),
  refusal(call) {
    const { fields, file } = call.body;
    const model = fields['model'] ?? '';
    if (!file) return openAiError(400, "Missing required parameter: 'file'.", 'missing_required_parameter');
    if (model !== call.model && call.mode !== 'wrong-model') {
      return openAiError(404, `The model '${model}' does not exist`, 'model_not_found');
    }
    if (!/\.(flac|mp3|mp4|mpeg|mpga|m4a|ogg|wav|webm)$/.test(file.name)) {
      return openAiError(400, 'Invalid file format.', 'invalid_value');
    }
    if (file.bytes > openAiMaxBytes) {
      return openAiError(413, `Maximum content size limit (26214400) exceeded (${file.bytes} bytes read)`);
    }
    const seconds = call.speech.durationSec;
    if (model !== 'whisper-1' && seconds > openAiMaxSec) {
      const text = `audio duration ${seconds} seconds is longer than 1400 seconds which is the maximum for this model`;
      return openAiError(400, text, 'invalid_value');
    }
    if (!formatsOf(model).includes(fields['response_format'] ?? 'json')) {
      return openAiError(
        400,
        `response_format '${fields['response_format'] ?? ''}' is not compatible with model`,
        'unsupported_value',
      );
    }
    if (model.endsWith('-diarize') && seconds > 30 && fields['chunking_strategy'] === undefined) {
      return openAiError(400, 'chunking_strategy is required', 'missing_required_parameter');
    }
    return undefined;
  },
  answer(call) {
    if (call.mode === 'bad-schema') return jsonReply(200, { text: 42 });
    const format = call.body.fields['response_format'] ?? 'json';
    const usage = { type: 'duration', seconds: Math.ceil(call.speech.durationSec) };
    if (format === 'verbose_json') return jsonReply(200, { ...verboseTranscription(call), language: 'english', usage });
    if (format !== 'diarized_json') return jsonReply(200, { text: textOf(call.speech), usage });
    return jsonReply(200, {
      task: 'transcribe',
      duration: call.speech.durationSec,
      text: textOf(call.speech),
      segments: call.speech.segments.map(({ start, end, text, speaker }, index) => ({
        type: 'transcript.text.segment',
        id: `seg_${index + 1}`,
        start,
        end,
        text,
        speaker: 'AB'[speaker],
      })),
      usage,
    });
  },
  error: openAiError,
};

/** Deepgram's prerecorded API: the audio is the body, all else is in the query. */
export const deepgram: Shape = {
  kindOf: (method, path) =>
    method === 'POST' && path === '/v1/listen'
      ? 'inference'
      : method === 'GET' && path === '/v1/models'
        ? 'models'
        : undefined,
  modelAsked: (_body, _path, query) => query.get('model') ?? undefined,
  health: () => jsonReply(200, {}),
  models: (model) => jsonReply(200, { stt: [{ canonical_name: model }] }),
  refusal(call) {
    if (!call.body.file || call.body.file.bytes === 0)
      return deepgramError(400, 'Bad Request: failed to process audio', 'Bad Request');
    return undefined;
  },
  answer(call) {
    if (call.mode === 'bad-schema') return jsonReply(200, { metadata: {}, results: { channels: 'none' } });
    const [, arch = call.model, variant = 'general'] = /^(nova-\d+)(?:-(.+))?$/.exec(call.model) ?? [];
    const words = call.speech.segments.flatMap((segment) =>
      spokenWords(segment).map((word) => ({
        ...word,
        confidence: 0.99,
        speaker: segment.speaker,
        punctuated_word: word.word,
      })),
    );
    return jsonReply(200, {
      metadata: {
        request_id: 'stub-request',
        created: '2026-01-01T00:00:00.000Z',
        duration: call.speech.durationSec,
        channels: 1,
        models: ['stub-model-id'],
        model_info: {
          'stub-model-id': { name: arch === call.model ? arch : `${variant}-${arch}`, version: '2026-01-01.0', arch },
        },
        sha256: call.body.file?.sha256 ?? '',
      },
      results: {
        channels: [{ alternatives: [{ transcript: textOf(call.speech), confidence: 0.99, words }] }],
        utterances: call.speech.segments.map(({ start, end, text, speaker }, index) => ({
          start,
          end,
          confidence: 0.99,
          channel: 0,
          transcript: text,
          words: [],
          speaker,
          id: `utterance-${index}`,
        })),
      },
    });
  },
  error: deepgramError,
};

function deepgramError(status: number, message: string, code?: string): Reply {
  return jsonReply(status, { err_code: code ?? 'ERROR', err_msg: message, request_id: 'stub-request' });
}
