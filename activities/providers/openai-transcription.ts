import { z } from 'zod';
import type { AudioRef } from '../../src/artifact.js';
import { withDeadline } from './call-scope.js';
import { bearer } from './credentials.js';
import { checkHealth } from './health.js';
import { parsedAs, send, type HttpAnswer, type Purpose, type Sender } from './http.js';
import { probeAudio } from './probe-audio.js';
import type { CallOptions, ProviderClient, Service, TranscriptionAnswer } from './provider.js';
import { listOpenAiModels, underListedModel } from './served-models.js';
import { apiUrl, besideApiUrl } from './service-url.js';
import { asDiarization, asTranscript, secondsSchema } from './speech-answer.js';
import { audioForm, checkLimits, openAudio, type AudioFile } from './upload.js';

/** OpenAI counts the whole request. */
const openAiMaxBytes = 26_214_400;
const gpt4oMaxSec = 1400;

/** Only OpenAI itself has these limits; servers of the same shape take whole episodes. */
export function transcriptionLimits(service: Service): { maxBytes?: number; maxDurationSec?: number } {
  if (!isOpenAi(service) && !isGpt(service.model)) return {};
  return { maxBytes: openAiMaxBytes, ...(isGpt(service.model) && { maxDurationSec: gpt4oMaxSec }) };
}

function isOpenAi(service: Service): boolean {
  return URL.canParse(service.url) && new URL(service.url).hostname === 'api.openai.com';
}
const isGpt = (model: string): boolean => model.startsWith('gpt-');
const isDiarizing = (model: string): boolean => model.startsWith('gpt-') && model.endsWith('-diarize');

/**
 * What each model can be asked for. Never a temperature: it switches the decoder's own fallback off, and long audio
 * then loops. No `vad_filter`: the server ignores it.
 */
function formFields(model: string): Record<string, string | string[]> {
  if (isDiarizing(model)) return { model, response_format: 'diarized_json', chunking_strategy: 'auto' };
  if (isGpt(model)) return { model, response_format: 'json' };
  return { model, response_format: 'verbose_json', 'timestamp_granularities[]': ['word', 'segment'] };
}

const segmentSchema = z.object({
  start: secondsSchema,
  end: secondsSchema,
  text: z.string(),
  speaker: z.string().nullish(),
});
const answerSchema = z.object({
  text: z.string(),
  language: z.string().nullish(),
  segments: z.array(segmentSchema).nullish(),
  words: z.array(z.object({ word: z.string(), start: secondsSchema, end: secondsSchema })).nullish(),
});

async function post(
  sender: Sender,
  options: CallOptions,
  call: { file: AudioFile; purpose: Purpose },
): Promise<HttpAnswer> {
  return send(sender, {
    method: 'POST',
    url: apiUrl(sender.service.url, '/v1/audio/transcriptions'),
    purpose: call.purpose,
    headers: bearer(options),
    form: audioForm(call.file, formFields(sender.service.model)),
  });
}

function read(answer: HttpAnswer, durationSec: number): Pick<TranscriptionAnswer, 'transcript' | 'diarization'> {
  const { text, language, segments, words } = parsedAs(answer, answerSchema);
  const timed = (segments ?? []).map(({ start, end, ...segment }) => ({ ...segment, startSec: start, endSec: end }));
  const transcript = asTranscript(
    answer,
    {
      text,
      language: language ?? undefined,
      segments: timed.map((segment) => ({ startSec: segment.startSec, endSec: segment.endSec, text: segment.text })),
      words: words?.map((word) => ({ startSec: word.start, endSec: word.end, text: word.word })),
    },
    durationSec,
  );
  const turns = timed.flatMap(({ startSec, endSec, speaker }) =>
    typeof speaker === 'string' ? [{ startSec, endSec, speaker }] : [],
  );
  return turns.length === 0 ? { transcript } : { transcript, diarization: asDiarization(answer, turns, durationSec) };
}

/**
 * `POST /v1/audio/transcriptions`: speaches, the openai-whisper server, our local service, OpenAI and its likes. The
 * answers name no model, so the server's list of models does (`underListedModel`).
 */
export const openAiTranscription: ProviderClient = {
  async transcribe(audio: AudioRef, service: Service, options: CallOptions): Promise<TranscriptionAnswer> {
    checkLimits(audio, service, transcriptionLimits(service));
    return withDeadline(options, async (scope) => {
      const sender = { scope, service };
      const file = await openAudio(audio, service);
      return underListedModel(sender, bearer(options), async () => {
        const answer = await post(sender, options, { file, purpose: 'work' });
        const { requestId } = answer;
        return { ...read(answer, audio.durationSec), ...(requestId !== undefined && { requestId }), calls: 1 };
      });
    });
  },

  health: (service, options) =>
    checkHealth(service, options, {
      url: isOpenAi(service) ? apiUrl(service.url, '/v1/models') : besideApiUrl(service.url, '/health'),
      headers: bearer(options),
    }),

  servedModels: (service, options) =>
    withDeadline(options, (scope) => listOpenAiModels({ scope, service }, bearer(options))),

  async probe(service, options) {
    await withDeadline(options, async (scope) => {
      const sender = { scope, service };
      await underListedModel(sender, bearer(options), async () => {
        const file = { blob: probeAudio(), fileName: 'probe.wav' };
        parsedAs(await post(sender, options, { file, purpose: 'probe' }), answerSchema);
        return {};
      });
    });
  },
};
