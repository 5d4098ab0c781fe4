import { fieldMissing, HttpProblem } from './http-problem.js';
import type { ModelProcess } from './model-process.js';
import type { AudioRequest } from './route.js';
import type { SpeechJob } from './speech-child.js';
import type { SpeechSegment } from './speech-driver.js';

export interface SpeechModel {
  readonly modelId: string;
  readonly process: ModelProcess<SpeechJob, SpeechSegment[]>;
}

/** Answers `POST /v1/audio/transcriptions` as speaches does, in `json` or `verbose_json`. */
export async function transcribe(request: AudioRequest, model: SpeechModel): Promise<object> {
  const form = parseForm(request.fields, model.modelId);
  const { samplesFile, durationSec } = await request.decode();
  const options = form.language === undefined ? {} : { language: form.language };
  const segments = await model.process.run({ samplesFile, options }, request.signal);
  const text = segments.map((segment) => segment.text).join(' ');
  if (form.responseFormat === 'json') return { text };
  return {
    task: 'transcribe',
    language: form.language ?? 'en',
    duration: durationSec,
    text,
    segments: segments.map(toWire),
    words: null,
  };
}

/** The figures of OpenAI's shape that the recogniser does not give (log-probabilities and the like) are left out. */
function toWire({ startSec, endSec, text }: SpeechSegment, id: number): object {
  return { id, seek: 0, start: startSec, end: endSec, text, tokens: [], temperature: 0 };
}

interface TranscriptionForm {
  readonly responseFormat: 'json' | 'verbose_json';
  readonly language?: string;
}

/** @throws HttpProblem 422 for a bad form, 404 for a model that is not served; fields we have no use for are ignored */
function parseForm(fields: ReadonlyMap<string, string>, modelId: string): TranscriptionForm {
  const model = fields.get('model');
  if (model === undefined) throw new HttpProblem(422, [fieldMissing('model')]);
  if (model !== modelId) {
    throw new HttpProblem(404, `Model '${model}' is not installed locally. Installed here: '${modelId}'`);
  }
  const responseFormat = fields.get('response_format') ?? 'json';
  if (responseFormat !== 'json' && responseFormat !== 'verbose_json') {
    const expected = "'json' or 'verbose_json'";
    const msg = `Input should be ${expected}`;
    const loc = ['body', 'response_format'];
    throw new HttpProblem(422, [{ type: 'enum', loc, msg, input: responseFormat, ctx: { expected } }]);
  }
  const language = fields.get('language');
  return { responseFormat, ...(language ? { language } : {}) };
}
