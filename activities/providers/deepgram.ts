import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { AudioRef } from '../../src/artifact.js';
import { withDeadline } from './call-scope.js';
import { checkHealth } from './health.js';
import { parsedAs, send, type HttpAnswer, type HttpRequest, type Sender } from './http.js';
import { probeAudio } from './probe-audio.js';
import type { CallOptions, ProviderClient, Service, TranscriptionAnswer } from './provider.js';
import { confirmModel } from './served-models.js';
import { apiUrl } from './service-url.js';
import { asDiarization, asTranscript, secondsSchema } from './speech-answer.js';
import { checkLimits, mediaTypeOf, unreadable } from './upload.js';

/** 2 GB; a whole episode in one request keeps the speakers coherent. */
const maxBytes = 2_000_000_000;

const wordSchema = z.object({
  word: z.string(),
  punctuated_word: z.string().optional(),
  start: secondsSchema,
  end: secondsSchema,
  speaker: z.number().optional(),
});
const utteranceSchema = z.object({
  start: secondsSchema,
  end: secondsSchema,
  transcript: z.string(),
  speaker: z.number().optional(),
});
const answerSchema = z.object({
  metadata: z.object({
    sha256: z.string().optional(),
    model_info: z.record(z.string(), z.object({ name: z.string(), arch: z.string() })),
  }),
  results: z.object({
    channels: z
      .array(
        z.object({
          alternatives: z.array(z.object({ transcript: z.string(), words: z.array(wordSchema).default([]) })).min(1),
          detected_language: z.string().optional(),
        }),
      )
      .min(1),
    utterances: z.array(utteranceSchema).optional(),
  }),
});
type Answer = z.infer<typeof answerSchema>;

const token = ({ apiKey }: CallOptions): Record<string, string> =>
  apiKey === undefined ? {} : { authorization: `Token ${apiKey}` };

async function post(sender: Sender, options: CallOptions, call: Pick<HttpRequest, 'purpose' | 'raw'>) {
  const query = new URLSearchParams({
    model: sender.service.model,
    diarize: 'true',
    utterances: 'true',
    punctuate: 'true',
    smart_format: 'true',
  });
  const answer = await send(sender, {
    ...call,
    method: 'POST',
    url: `${apiUrl(sender.service.url, '/v1/listen')}?${query.toString()}`,
    headers: token(options),
  });
  const body = parsedAs(answer, answerSchema);
  const modelReported = modelOf(body);
  confirmModel(sender.service, modelReported);
  return { answer, body, modelReported };
}

/** `nova-3-general` of architecture `nova-3` and name `general-nova-3`: the spelling by which it is asked for. */
function modelOf(body: Answer): string {
  const [info] = Object.values(body.metadata.model_info);
  if (!info) return 'no model';
  const variant = info.name.replace(`-${info.arch}`, '').replace(info.arch, '');
  return variant === '' ? info.arch : `${info.arch}-${variant}`;
}

function read(
  answer: HttpAnswer,
  body: Answer,
  audio: AudioRef,
): Pick<TranscriptionAnswer, 'transcript' | 'diarization'> {
  const { sha256 } = body.metadata;
  if (sha256 !== undefined && sha256 !== audio.sha256) throw answer.invalid({ reason: 'other_audio' });
  const channel = body.results.channels[0];
  const best = channel?.alternatives[0];
  const words = (best?.words ?? []).map((word) => ({
    startSec: word.start,
    endSec: word.end,
    text: word.punctuated_word ?? word.word,
    speaker: word.speaker,
  }));
  const utterances = (body.results.utterances ?? []).map(({ start, end, transcript, speaker }) => ({
    startSec: start,
    endSec: end,
    text: transcript,
    speaker,
  }));
  const transcript = asTranscript(
    answer,
    {
      text: best?.transcript ?? '',
      language: channel?.detected_language,
      segments: utterances.map(({ startSec, endSec, text }) => ({ startSec, endSec, text })),
      words: words.map(({ startSec, endSec, text }) => ({ startSec, endSec, text })),
    },
    audio.durationSec,
  );
  const turns = (utterances.length > 0 ? utterances : words).flatMap(({ startSec, endSec, speaker }) =>
    speaker === undefined ? [] : [{ startSec, endSec, speaker: String(speaker) }],
  );
  return { transcript, diarization: asDiarization(answer, turns, audio.durationSec) };
}

async function oneCall(audio: AudioRef, service: Service, options: CallOptions): Promise<TranscriptionAnswer> {
  checkLimits(audio, service, { maxBytes });
  await (await open(audio.path).catch((error: unknown) => Promise.reject(unreadable(error, service)))).close();
  return withDeadline(options, async (scope) => {
    const stream = createReadStream(audio.path);
    const raw = { stream, bytes: audio.bytes, contentType: mediaTypeOf(audio.format) };
    const received = await post({ scope, service }, options, { purpose: 'work', raw }).finally(() => stream.destroy());
    const { answer, body, modelReported } = received;
    return {
      ...read(answer, body, audio),
      modelReported,
      modelReportedBy: 'answer',
      ...(answer.requestId !== undefined && { requestId: answer.requestId }),
      calls: 1,
    };
  });
}

/** Deepgram's prerecorded API: the audio is the body, text and speakers come in one answer. */
export const deepgram: ProviderClient = {
  transcribe: oneCall,

  async diarize(audio, service, options) {
    const { diarization, ...answer } = await oneCall(audio, service, options);
    return { ...answer, diarization: diarization ?? { turns: [] } };
  },

  // It has no health page; any answer at all shows that it is there.
  health: (service, options) =>
    checkHealth(service, options, { url: apiUrl(service.url, '/v1/models'), headers: token(options) }),

  servedModels: () => Promise.resolve(undefined),

  async probe(service, options) {
    const bytes = Buffer.from(await probeAudio().arrayBuffer());
    const raw = { stream: Readable.from([bytes]), bytes: bytes.length, contentType: 'audio/wav' };
    await withDeadline(options, (scope) => post({ scope, service }, options, { purpose: 'probe', raw }));
  },
};
