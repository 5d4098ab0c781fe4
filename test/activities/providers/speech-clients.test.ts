import { providerClients } from '../../../activities/providers/index.js';
import type { Service } from '../../../activities/providers/provider.js';
import { diarize, failureOf, modelOf, options, play, transcribe, wavFile } from './support.js';

const audio = wavFile(60);

describe('openAiTranscription', () => {
  it('asks for segments and words, never for a temperature, and keeps what comes back', async () => {
    const { stub, endpoint, service } = await play('openai-transcription');
    const answer = await transcribe('openai-transcription')(audio, service, options());
    const call = endpoint.calls.find(({ kind }) => kind === 'work');
    expect(call).toMatchObject({
      fields: { model: service.model, response_format: 'verbose_json', 'timestamp_granularities[]': 'word,segment' },
      warnings: [],
      fileSha256: audio.sha256,
      headers: { 'x-holdfast-purpose': 'work' },
    });
    expect(answer).toMatchObject({ modelReported: service.model, modelReportedBy: 'models', calls: 1 });
    const { segments } = answer.transcript;
    expect(segments.at(-1)?.endSec).toBeCloseTo(60, 1);
    expect(segments[0]?.words?.map((word) => word.text).join(' ')).toBe(segments[0]?.text);
    await stub.close();
  });

  it.each([
    ['gpt-4o-transcribe', { response_format: 'json' }],
    ['gpt-4o-transcribe-diarize', { response_format: 'diarized_json', chunking_strategy: 'auto' }],
    ['whisper-1', { response_format: 'verbose_json' }],
  ])("asks OpenAI's %s only for what it takes", async (model, fields) => {
    const { stub, endpoint, service } = await play('openai-transcription', { shape: 'openai-transcription', model });
    const answer = await transcribe('openai-transcription')(audio, service, options({ apiKey: 'k' }));
    expect(endpoint.calls.find(({ kind }) => kind === 'work')).toMatchObject({ fields, warnings: [] });
    expect(answer.transcript.segments.map((segment) => segment.text).join(' ')).toContain('This is recording');
    const speakers = new Set(answer.diarization?.turns.map((turn) => turn.speaker));
    expect([...speakers]).toEqual(model.endsWith('-diarize') ? ['SPEAKER_00', 'SPEAKER_01'] : []);
    await stub.close();
  });

  it('sends the key as a bearer, and without one is told so', async () => {
    const { stub, service } = await play('openai-transcription', { apiKey: 'right' });
    await expect(
      transcribe('openai-transcription')(audio, service, options({ apiKey: 'right' })),
    ).resolves.toBeDefined();
    const failure = await failureOf(transcribe('openai-transcription')(audio, service, options({ apiKey: 'wrong' })));
    expect(failure.type).toBe('AccountTerminal');
    await stub.close();
  });

  it('finds the API whether or not the base URL ends in its version', async () => {
    const { stub, service } = await play('openai-transcription');
    for (const url of [service.url, `${service.url}/`, `${service.url}/v1`]) {
      await expect(transcribe('openai-transcription')(audio, { ...service, url }, options())).resolves.toBeDefined();
    }
    await stub.close();
  });
});

describe('moss', () => {
  it('gives transcript and speakers of one call', async () => {
    const { stub, endpoint, service } = await play('moss');
    const answer = await transcribe('moss')(audio, service, options());
    expect(answer.modelReported).toBe(service.model);
    expect(answer.diarization?.turns[0]).toMatchObject({ speaker: 'SPEAKER_00', startSec: 0 });
    expect(answer.transcript.segments.length).toBe(answer.diarization?.turns.length);
    expect(endpoint.calls.map((call) => [call.kind, call.fields, call.warnings])).toEqual([['work', {}, []]]);
    await stub.close();
  });
});

describe('pyannote', () => {
  it('passes hints on and gives turns', async () => {
    const { stub, endpoint, service } = await play('pyannote');
    const hinted = { ...service, speakers: { exact: 2, min: 2, max: 4 } };
    const answer = await diarize('pyannote')(audio, hinted, options());
    expect(new Set(answer.diarization.turns.map((turn) => turn.speaker)).size).toBe(2);
    expect(endpoint.calls[0]).toMatchObject({
      fields: { num_speakers: '2', min_speakers: '2', max_speakers: '4' },
      warnings: [],
    });
    await stub.close();
  });

  it('takes nobody speaking for a valid answer', async () => {
    const { stub, endpoint, service } = await play('pyannote', { script: { default: 'zero-speakers' } });
    expect((await diarize('pyannote')(audio, service, options())).diarization.turns).toEqual([]);
    expect(endpoint.counters.workCalls).toBe(1);
    await stub.close();
  });

  it('brings odd turns into form: none backwards, none empty, none past the end', async () => {
    const { stub, service } = await play('pyannote', { script: { default: 'bad-turns' } });
    const { turns } = (await diarize('pyannote')(audio, service, options())).diarization;
    expect(turns.every((turn) => turn.startSec < turn.endSec && turn.endSec <= audio.durationSec)).toBe(true);
    await stub.close();
  });
});

describe('deepgram', () => {
  it('sends the audio as the body and gives text, words and speakers', async () => {
    const { stub, endpoint, service } = await play('deepgram', { apiKey: 'k' });
    const answer = await transcribe('deepgram')(audio, service, options({ apiKey: 'k' }));
    expect(endpoint.calls[0]).toMatchObject({ modelAsked: 'nova-3-general', fileSha256: audio.sha256 });
    expect(answer).toMatchObject({ modelReported: 'nova-3-general', modelReportedBy: 'answer' });
    expect(answer.transcript.segments[0]?.words?.length).toBeGreaterThan(0);
    expect(new Set(answer.diarization?.turns.map((turn) => turn.speaker))).toEqual(
      new Set(['SPEAKER_00', 'SPEAKER_01']),
    );
    await stub.close();
  });

  it('refuses an answer about other audio', async () => {
    const { stub, service } = await play('deepgram');
    const other = { ...audio, sha256: 'f'.repeat(64) };
    expect((await failureOf(transcribe('deepgram')(other, service, options()))).type).toBe('InvalidAnswer');
    await stub.close();
  });
});

describe.each(['openai-transcription', 'moss', 'deepgram'] as const)('times from %s', (wire) => {
  it.each(['json-nan', 'bad-times'])('are refused under %s', async (mode) => {
    const { stub, service } = await play(wire, { script: { rules: [{ when: { kind: 'work' }, mode }] } });
    const failure = await failureOf(transcribe(wire)(audio, service, options()));
    expect(failure.type).toBe('InvalidAnswer');
    await stub.close();
  });

  it.each(['empty', 'half-coverage', 'repeat-loop'])('%s is passed on for the guards to judge', async (mode) => {
    const { stub, service } = await play(wire, { script: { default: mode } });
    await expect(transcribe(wire)(audio, service, options())).resolves.toBeDefined();
    await stub.close();
  });
});

describe('served model', () => {
  const call = (service: Service) => transcribe('openai-transcription')(audio, service, options({ deadlineMs: 3000 }));

  it('is refused before the upload when the list lacks it, naming both', async () => {
    const { stub, endpoint, service } = await play('openai-transcription', { script: { models: 'wrong-model' } });
    const failure = await failureOf(call(service));
    expect(failure).toMatchObject({
      type: 'Misconfigured',
      details: { modelExpected: service.model, modelReported: 'another/model' },
    });
    expect(endpoint.counters.workCalls).toBe(0);
    await stub.close();
  });

  it('is refused after the answer when it changed meanwhile', async () => {
    const { stub, endpoint, service } = await play('openai-transcription');
    endpoint.script({ rules: [{ when: { kind: 'models' }, times: 1 }], models: 'wrong-model' });
    expect(await failureOf(call(service))).toMatchObject({
      type: 'Misconfigured',
      details: { modelReported: 'another/model' },
    });
    expect(endpoint.counters.workCalls).toBe(1);
    await stub.close();
  });

  it('may be confirmed late, by a service that answers nothing while it computes', async () => {
    const { stub, endpoint, service } = await play('openai-transcription');
    endpoint.script({ rules: [{ when: { kind: 'models' }, mode: 'hang', times: 1 }] });
    await expect(call(service)).resolves.toMatchObject({ modelReportedBy: 'models' });
    await stub.close();
  });

  it('is not taken on trust when no list comes at all', async () => {
    const { stub, service } = await play('openai-transcription', { script: { models: 'plain500' } });
    expect(await failureOf(call(service))).toMatchObject({
      type: 'EndpointUnavailable',
      details: { code: 'model_unknown' },
    });
    await stub.close();
  });

  it.each(['moss', 'deepgram'] as const)('is refused by the name in the answer of %s', async (wire) => {
    const { stub, service } = await play(wire, { script: { default: 'wrong-model' } });
    const failure = await failureOf(transcribe(wire)(audio, service, options()));
    expect(failure).toMatchObject({
      type: 'Misconfigured',
      details: { modelExpected: modelOf[wire], modelReported: 'another/model' },
    });
    await stub.close();
  });

  it('is listed for the check before a batch', async () => {
    for (const wire of ['openai-transcription', 'moss', 'pyannote', 'openai-chat', 'ollama-chat', 'gemini'] as const) {
      const { stub, service } = await play(wire);
      expect(await providerClients[wire].servedModels(service, options())).toEqual([modelOf[wire]]);
      await stub.close();
    }
  });
});
