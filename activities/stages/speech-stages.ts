import { assignSpeakers } from '../../src/alignment.js';
import {
  diarizationFault,
  speechCoverageFault,
  transcriptFault,
  type AnswerFaultReason,
} from '../../src/answer-guards.js';
import { normaliseTurns } from '../../src/diarization-turns.js';
import { formatPodcastTranscript, formatRttm } from '../../src/transcript-formats.js';
import { diarizationSchema, transcriptSchema, type Diarization, type Transcript } from '../../src/transcript.js';
import { ownFailure } from '../providers/call-failure.js';
import type { AnswerSource } from '../providers/provider.js';
import { formatSrt, formatWebVtt } from '../text/captions.js';
import { ClassifiedError } from '../throw-failure.js';
import { callOptions } from './call-options.js';
import { countViolation, measureCall } from './measure-call.js';
import { stageKey } from './stage-identity.js';
import { blobOf } from './stage-job.js';
import { findFinished, materialOf, type MakeStage, type StageContext, type StageMade } from './stage-work.js';

/** Speakers that came in the same answer as the transcript (MOSS, Deepgram). */
const speakersName = 'speakers';

function refuse(fault: AnswerFaultReason | undefined, { service, stage }: StageContext): void {
  if (fault === undefined) return;
  countViolation({ service: stage, reason: fault, endpointId: service.endpointId, isAskedAgain: false });
  throw ownFailure('InvalidAnswer', service, { code: fault, summary: `the answer cannot be right (${fault})` });
}

function sourceOf(answer: AnswerSource): Pick<StageMade, 'modelReported' | 'modelReportedBy' | 'method'> {
  const { modelReported, modelReportedBy } = answer;
  return { modelReported, modelReportedBy, method: 'model' };
}

/** The files of a transcript, as players read them. */
function transcriptFiles(transcript: Transcript): Record<string, string> {
  return {
    'transcript.json': formatPodcastTranscript(transcript),
    'transcript.vtt': formatWebVtt(transcript),
    'transcript.srt': formatSrt(transcript),
  };
}

export const makeTranscript: MakeStage = async (context, attempt) => {
  const { client, service, input } = context;
  const transcribe = client.transcribe?.bind(client);
  if (transcribe === undefined) throw new ClassifiedError('Misconfigured', `${input.tier.wire} does not transcribe`);
  const answer = await measureCall(context, () => transcribe(input.audio, service, callOptions(context, attempt)));
  attempt.sent(answer.calls);
  const { durationSec } = input.audio;
  refuse(transcriptFault(answer.transcript, { durationSec, coverageMin: input.plan.coverageMin }), context);
  return {
    ...sourceOf(answer),
    document: JSON.stringify(answer.transcript),
    files: transcriptFiles(answer.transcript),
    ...(answer.diarization === undefined ? {} : { extras: { [speakersName]: JSON.stringify(answer.diarization) } }),
  };
};

/** Who spoke when, joined to the words: the document is the transcript with speakers. */
export const makeDiarization: MakeStage = async (context, attempt) => {
  const { input, store } = context;
  const { audio, documents, plan, episode } = input;
  const transcript =
    documents.transcribe === undefined
      ? undefined
      : await store.readJson(blobOf(documents.transcribe), transcriptSchema);
  const { diarization, ...source } = (await speakersOfTranscript(context)) ?? (await askForSpeakers(context, attempt));
  const words = transcript?.segments.reduce((sum, { text }) => sum + text.split(/\s+/).filter(Boolean).length, 0);
  const known = words === undefined ? {} : { transcriptWords: words };
  refuse(diarizationFault(diarization, { durationSec: audio.durationSec, ...known }), context);
  const turns = normaliseTurns(diarization.turns, audio.durationSec);
  if (transcript !== undefined) refuse(speechCoverageFault(transcript, { turns }, plan.coverageMin), context);
  const joined = assignSpeakers(transcript ?? { durationSec: audio.durationSec, segments: [] }, turns);
  return {
    ...source,
    document: JSON.stringify(joined),
    files: { ...transcriptFiles(joined), 'diarization.rttm': formatRttm(episode.episodeId, turns) },
    extras: { turns: JSON.stringify({ turns }) },
  };
};

type Speakers = { readonly diarization: Diarization } & Pick<StageMade, 'modelReported' | 'modelReportedBy' | 'method'>;

async function askForSpeakers(context: StageContext, attempt: Parameters<MakeStage>[1]): Promise<Speakers> {
  const { client, service, input } = context;
  const diarize = client.diarize?.bind(client);
  if (diarize === undefined) throw new ClassifiedError('Misconfigured', `${input.tier.wire} does not diarize`);
  const answer = await measureCall(context, () => diarize(input.audio, service, callOptions(context, attempt)));
  attempt.sent(answer.calls);
  return { diarization: answer.diarization, ...sourceOf(answer) };
}

/** Where the same option has already told the speakers with its transcript, nothing is asked again. */
async function speakersOfTranscript(context: StageContext): Promise<Speakers | undefined> {
  const { input, store } = context;
  const { tier } = input;
  if (context.client.transcribe === undefined) return undefined;
  const key = stageKey('transcribe', tier, materialOf(input));
  const record = await findFinished(store, key, input.plan);
  const blob = record?.blobs[speakersName];
  if (record === undefined || blob === undefined) return undefined;
  const diarization = await store.readJson(blob, diarizationSchema);
  const { modelReported, modelReportedBy, method } = record.provenance;
  return { diarization, modelReported, modelReportedBy, method };
}
