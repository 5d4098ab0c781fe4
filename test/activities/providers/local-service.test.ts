import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { decodeAudio } from '../../../activities/audio/decode-audio.js';
import { providerClients } from '../../../activities/providers/index.js';
import type { Service } from '../../../activities/providers/provider.js';
import type { AudioRef } from '../../../src/artifact.js';
import { diarizationFault, speechCoverage, transcriptFault } from '../../../src/answer-guards.js';
import { resolveFfmpeg } from '../../../setup/ffmpeg.js';
import { exampleAudio, useLocalModels } from '../../local-models/local-models-rig.js';
import { diarize, failureOf, options, transcribe } from './support.js';

async function example(name: string): Promise<AudioRef> {
  const file = exampleAudio(name);
  const bytes = await readFile(file);
  const { path: ffmpegPath } = await resolveFfmpeg();
  const { cancellation } = options();
  const durationSec = await decodeAudio(file, { ffmpegPath, demuxer: 'mp3', place: name, cancellation });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { path: file, sha256, bytes: bytes.length, durationSec, format: 'mp3' };
}

describe('the clients of the GPU box, against real models', () => {
  const local = useLocalModels();
  const speech = (model = 'whisper-tiny.en'): Service => ({
    endpointId: 'local-whisper',
    wire: 'openai-transcription',
    url: `${local().url}/v1`,
    model,
  });
  const speakers = async (): Promise<Service> => {
    const service: Service = { endpointId: 'local-diarizer', wire: 'pyannote', url: local().url, model: '' };
    const ids = await providerClients.pyannote.servedModels(service, options());
    return { ...service, model: ids?.find((id) => id.startsWith('pyannote')) ?? '' };
  };

  it('find both services healthy and their probes working', async () => {
    expect(await providerClients['openai-transcription'].health(speech(), options())).toBe('ready');
    await expect(providerClients['openai-transcription'].probe(speech(), options())).resolves.toBeUndefined();
    await expect(providerClients.pyannote.probe(await speakers(), options())).resolves.toBeUndefined();
  });

  it('get a transcript and its speakers that the guards believe', async () => {
    const audio = await example('honest-archive');
    const { durationSec } = audio;
    const { transcript, ...source } = await transcribe('openai-transcription')(
      audio,
      speech(),
      options({ deadlineMs: 100_000 }),
    );
    expect(source).toMatchObject({ modelReported: 'whisper-tiny.en', modelReportedBy: 'models' });
    expect(transcriptFault(transcript, { durationSec, coverageMin: 0.85 })).toBeUndefined();
    const { diarization } = await diarize('pyannote')(audio, await speakers(), options({ deadlineMs: 100_000 }));
    expect(diarizationFault(diarization, { durationSec })).toBeUndefined();
    expect(speechCoverage(transcript, diarization)).toBeGreaterThan(0.85);
  });

  it('refuse another model than the one that is served, before the upload', async () => {
    const audio = await example('honest-archive');
    const failure = await failureOf(transcribe('openai-transcription')(audio, speech('whisper-large-v3'), options()));
    expect(failure.type).toBe('Misconfigured');
  });
});
