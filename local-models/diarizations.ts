import { HttpProblem, type FieldFault } from './http-problem.js';
import type { ModelProcess } from './model-process.js';
import type { AudioRequest } from './route.js';
import type { SpeakerJob } from './speaker-child.js';
import type { SpeakerBounds } from './speaker-driver.js';
import type { SpeakerTurn } from './speaker-turns.js';

export interface SpeakerModel {
  readonly modelId: string;
  readonly process: ModelProcess<SpeakerJob, SpeakerTurn[]>;
}

/** The pyannote service's defaults: a podcast has two speakers at least. */
const defaultMinSpeakers = 2;
const defaultMaxSpeakers = 20;

/** Answers `POST /v1/diarize` as the pyannote service does. */
export async function diarize(request: AudioRequest, model: SpeakerModel): Promise<object> {
  const bounds = parseBounds(request.fields);
  const { samplesFile } = await request.decode();
  const turns = await model.process.run({ samplesFile, bounds }, request.signal);
  if (turns.length === 0) throw new HttpProblem(422, 'pyannote produced no speaker segments for this audio');
  return {
    model_name: model.modelId,
    num_speakers: new Set(turns.map(({ speaker }) => speaker)).size,
    segments: turns.map(({ startSec, endSec, speaker }) => ({
      start: roundMs(startSec),
      end: roundMs(endSec),
      speaker: `SPEAKER_${String(speaker).padStart(2, '0')}`,
    })),
  };
}

function roundMs(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/** @throws HttpProblem 422 for what is no whole number from 1 on, 400 for bounds that contradict each other */
function parseBounds(fields: ReadonlyMap<string, string>): SpeakerBounds {
  const exact = parseCount(fields, 'num_speakers');
  const min = parseCount(fields, 'min_speakers') ?? defaultMinSpeakers;
  const max = parseCount(fields, 'max_speakers') ?? Math.max(defaultMaxSpeakers, min);
  if (min > max) throw new HttpProblem(400, `invalid speaker bounds: min=${min}, max=${max}`);
  return { min, max, ...(exact === undefined ? {} : { exact }) };
}

function parseCount(fields: ReadonlyMap<string, string>, field: string): number | undefined {
  const input = fields.get(field);
  if (input === undefined || input === '') return undefined;
  const loc = ['body', field];
  if (!/^-?\d+$/.test(input))
    throw invalid({ type: 'int_parsing', loc, msg: 'Input should be a valid integer', input });
  const count = Number(input);
  if (count >= 1) return count;
  if (field === 'num_speakers') throw new HttpProblem(400, `num_speakers must be >= 1, got ${count}`);
  const msg = 'Input should be greater than or equal to 1';
  throw invalid({ type: 'greater_than_equal', loc, msg, input, ctx: { ge: 1 } });
}

function invalid(fault: FieldFault): HttpProblem {
  return new HttpProblem(422, [fault]);
}
