import fs from 'node:fs';
import { Agent, fetch, FormData } from 'undici';
import type { LabelledTurn } from './local-scoring.js';

export interface Transcription {
  readonly text: string;
  readonly duration: number;
}

/** On a busy machine an answer may take longer than the client's own 300 s. */
const patient = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

/** Calls the local model service as its users do, at `url`. */
export interface LocalClient {
  transcribe(audioFile: string): Promise<Transcription>;
  /** @param speakers exact count; undefined: the service counts */
  diarize(audioFile: string, speakers?: number): Promise<LabelledTurn[]>;
}

export function createLocalClient(url: string, speechModel: string): LocalClient {
  const post = async (route: string, audioFile: string, fields: Readonly<Record<string, string>>): Promise<unknown> => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', await fs.openAsBlob(audioFile), 'audio.mp3');
    const response = await fetch(`${url}${route}`, { method: 'POST', body: form, dispatcher: patient });
    if (!response.ok) throw new Error(`${route} answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
  return {
    transcribe: async (audioFile) => {
      const fields = { model: speechModel, response_format: 'verbose_json' };
      return (await post('/v1/audio/transcriptions', audioFile, fields)) as Transcription;
    },
    diarize: async (audioFile, speakers) => {
      const fields: Record<string, string> = speakers === undefined ? {} : { num_speakers: String(speakers) };
      const answer = await post('/v1/diarize', audioFile, fields);
      const { segments } = answer as { segments: { start: number; end: number; speaker: string }[] };
      return segments.map(({ start, end, speaker }) => ({ startSec: start, endSec: end, speaker }));
    },
  };
}
