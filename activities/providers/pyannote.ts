import { z } from 'zod';
import type { AudioRef } from '../../src/artifact.js';
import { CallFailure } from './call-failure.js';
import { withDeadline } from './call-scope.js';
import { bearer } from './credentials.js';
import { checkHealth } from './health.js';
import { parsedAs, send, type Purpose, type Sender } from './http.js';
import { probeAudio } from './probe-audio.js';
import type { CallOptions, DiarizationAnswer, ProviderClient, Service, SpeakerHints } from './provider.js';
import { confirmModel, listOpenAiModels } from './served-models.js';
import { apiUrl, besideApiUrl } from './service-url.js';
import { asDiarization, secondsSchema } from './speech-answer.js';
import { audioForm, checkLimits, openAudio, type AudioFile } from './upload.js';

const answerSchema = z.object({
  model_name: z.string(),
  segments: z.array(z.object({ start: secondsSchema, end: secondsSchema, speaker: z.string() })),
});

interface Upload {
  readonly file: AudioFile;
  readonly purpose: Purpose;
  readonly speakers?: SpeakerHints | undefined;
}

/** Hints are hints: the service may return another number. Absent ones are left to its defaults (2 to 20). */
function hintFields(speakers: SpeakerHints = {}): Record<string, string> {
  const { exact, min, max } = speakers;
  return {
    ...(exact !== undefined && { num_speakers: String(exact) }),
    ...(min !== undefined && { min_speakers: String(min) }),
    ...(max !== undefined && { max_speakers: String(max) }),
  };
}

async function post(sender: Sender, options: CallOptions, { file, purpose, speakers }: Upload) {
  const answer = await send(sender, {
    method: 'POST',
    url: apiUrl(sender.service.url, '/v1/diarize'),
    purpose,
    headers: bearer(options),
    form: audioForm(file, hintFields(speakers)),
  });
  const body = parsedAs(answer, answerSchema);
  confirmModel(sender.service, body.model_name);
  return { answer, body };
}

/**
 * The pyannote service, and our local diarizer: who spoke when. An answer without turns is valid here (nobody spoke);
 * whether it is believed is for `diarizationFault`. The service itself refuses some such audio with a 422, which is
 * `ContentRejected`.
 */
export const pyannote: ProviderClient = {
  async diarize(
    audio: AudioRef,
    service: Service & { readonly speakers?: SpeakerHints },
    options: CallOptions,
  ): Promise<DiarizationAnswer> {
    checkLimits(audio, service);
    return withDeadline(options, async (scope) => {
      const file = await openAudio(audio, service);
      const { speakers } = service;
      const { answer, body } = await post({ scope, service }, options, { file, purpose: 'work', speakers });
      const turns = body.segments.map(({ start, end, speaker }) => ({ startSec: start, endSec: end, speaker }));
      return {
        diarization: asDiarization(answer, turns, audio.durationSec),
        modelReported: body.model_name,
        modelReportedBy: 'answer',
        ...(answer.requestId !== undefined && { requestId: answer.requestId }),
        calls: 1,
      };
    });
  },

  // Its event loop is blocked while it infers.
  healthProvesIdle: true,

  health: (service, options) =>
    checkHealth(service, options, { url: besideApiUrl(service.url, '/health'), headers: bearer(options) }),

  servedModels: (service, options) =>
    withDeadline(options, (scope) => listOpenAiModels({ scope, service }, bearer(options))),

  async probe(service, options) {
    const file = { blob: probeAudio(), fileName: 'probe.wav' };
    await withDeadline(options, (scope) => post({ scope, service }, options, { file, purpose: 'probe' })).catch(
      (error: unknown) => {
        // It listened to the tone and found nobody: that is what was to be seen.
        if (!(error instanceof CallFailure) || error.type !== 'ContentRejected') throw error;
      },
    );
  },
};
