import { z } from 'zod';
import type { AudioRef } from '../../src/artifact.js';
import { ownFailure } from './call-failure.js';
import { withDeadline } from './call-scope.js';
import { bearer } from './credentials.js';
import { checkHealth } from './health.js';
import { parsedAs, send, type HttpAnswer, type Purpose, type Sender } from './http.js';
import { probeAudio } from './probe-audio.js';
import type { CallOptions, DiarizationAnswer, ProviderClient, Service, TranscriptionAnswer } from './provider.js';
import { confirmModel, listOpenAiModels } from './served-models.js';
import { apiUrl, besideApiUrl } from './service-url.js';
import { asDiarization, asTranscript, secondsSchema } from './speech-answer.js';
import { audioForm, checkLimits, openAudio, type AudioFile } from './upload.js';

/** Longer audio is cut off in silence by the model's context: refuse it here. */
export const mossMaxSec = 1500;

const answerSchema = z.object({
  model: z.string(),
  text: z.string().nullish(),
  segments: z.array(z.object({ start: secondsSchema, end: secondsSchema, text: z.string(), speaker: z.string() })),
});

async function post(sender: Sender, options: CallOptions, call: { file: AudioFile; purpose: Purpose }) {
  const answer = await send(sender, {
    method: 'POST',
    url: apiUrl(sender.service.url, '/v1/transcribe'),
    purpose: call.purpose,
    headers: bearer(options),
    form: audioForm(call.file, {}),
  });
  const body = parsedAs(answer, answerSchema);
  confirmModel(sender.service, body.model);
  return { answer, body };
}

function read(
  { answer, body }: { answer: HttpAnswer; body: z.infer<typeof answerSchema> },
  durationSec: number,
): Required<Pick<TranscriptionAnswer, 'transcript' | 'diarization'>> {
  const segments = body.segments.map(({ start, end, ...rest }) => ({ startSec: start, endSec: end, ...rest }));
  return {
    transcript: asTranscript(
      answer,
      {
        text: body.text ?? '',
        segments: segments.map(({ startSec, endSec, text }) => ({ startSec, endSec, text })),
      },
      durationSec,
    ),
    diarization: asDiarization(answer, segments, durationSec),
  };
}

async function oneCall(
  audio: AudioRef,
  service: Service,
  options: CallOptions,
): Promise<TranscriptionAnswer & DiarizationAnswer> {
  checkLimits(audio, service, { maxDurationSec: mossMaxSec });
  return withDeadline(options, async (scope) => {
    const file = await openAudio(audio, service);
    const received = await post({ scope, service }, options, { file, purpose: 'work' });
    const { requestId } = received.answer;
    return {
      ...read(received, audio.durationSec),
      modelReported: received.body.model,
      modelReportedBy: 'answer',
      ...(requestId !== undefined && { requestId }),
      calls: 1,
    };
  });
}

/**
 * MOSS transcribe-diarize: one call gives the transcript and its speakers. Labels are good for one request only, and
 * nothing in the answers says that `S01` of one is `S02` of the next; so the speakers of audio longer than 25 minutes
 * are refused, while its text is transcribed in chunks (`chunked-transcription.ts`) and leaves the speakers to a diarizer.
 */
export const moss: ProviderClient = {
  transcribe: oneCall,

  async diarize(audio, service, options): Promise<DiarizationAnswer> {
    if (audio.durationSec > (service.limits?.maxDurationSec ?? mossMaxSec)) {
      const summary = `not called: speakers are only coherent within ${mossMaxSec} s, the audio lasts ${Math.round(audio.durationSec)} s`;
      throw ownFailure('ContentRejected', service, { code: 'audio_too_long', summary });
    }
    return oneCall(audio, service, options);
  },

  // Its event loop is blocked while it infers.
  healthProvesIdle: true,

  // 200 also while it loads: the field counts.
  health: (service, options) =>
    checkHealth(service, options, {
      url: besideApiUrl(service.url, '/health'),
      headers: bearer(options),
      isReady: (body) => z.object({ status: z.literal('ok') }).safeParse(body).success,
    }),

  servedModels: (service, options) =>
    withDeadline(options, (scope) => listOpenAiModels({ scope, service }, bearer(options))),

  async probe(service, options) {
    await withDeadline(options, (scope) =>
      post({ scope, service }, options, { file: { blob: probeAudio(), fileName: 'probe.wav' }, purpose: 'probe' }),
    );
  },
};
