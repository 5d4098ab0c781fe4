import { options, play, transcribe, wavFile } from '../../activities/providers/support.js';
import { modeNames, parseMode, parseMs } from './mode.js';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const audio = wavFile(10);
const outcome = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error: unknown) => (error as { type: string }).type,
  );

describe('parseMode', () => {
  it('reads name, argument and options', () => {
    expect(parseMode('status:503,retry-after=2')).toEqual({
      name: 'status',
      argument: '503',
      options: { 'retry-after': '2' },
    });
    expect(parseMode('oom-if-inflight>1')).toMatchObject({ name: 'oom-if-inflight', argument: '1' });
    expect([parseMs('2s', 0), parseMs('250ms', 0), parseMs('40', 0), parseMs(undefined, 7)]).toEqual([
      2000, 250, 40, 7,
    ]);
  });

  it('knows every mode by its name', () => {
    expect(modeNames.map((name) => parseMode(name).name)).toEqual([...modeNames]);
  });
});

describe('modes', () => {
  it('coldload is slow on the first answer only', async () => {
    const { stub, endpoint, service } = await play('moss', { script: { default: 'coldload:400' } });
    await transcribe('moss')(audio, service, options());
    await transcribe('moss')(audio, service, options());
    const [first, second] = endpoint.calls.map((call) => (call.endedAtMs ?? 0) - call.startedAtMs);
    expect(first).toBeGreaterThanOrEqual(390);
    expect(second).toBeLessThan(first ?? 0);
    await stub.close();
  });

  it('oom-if-inflight takes the service down when too much computes at once', async () => {
    const { stub, endpoint, service } = await play('pyannote', {
      serviceMs: 300,
      script: { default: 'oom-if-inflight>1,gone=200' },
    });
    const call = async () => {
      const form = new FormData();
      form.append('file', new Blob(['x'.repeat(1000)]), 'a.wav');
      return fetch(`${service.url}/v1/diarize`, { method: 'POST', body: form }).then(
        (answer) => answer.status,
        () => 'cut',
      );
    };
    const first = call();
    await pause(100);
    expect(await call()).toBe(500);
    expect(await first).toBe('cut');
    await pause(600);
    expect(await call()).toBe(200);
    expect(endpoint.counters.maxInFlight).toBe(2);
    await stub.close();
  });

  it('moss answers the same bytes at once after it has computed on for a client that left', async () => {
    const { stub, endpoint, service } = await play('moss', { serviceMs: 500, zombieMs: 1000, serial: true });
    expect(await outcome(transcribe('moss')(audio, service, options({ deadlineMs: 150 })))).toBe('EndpointUnavailable');
    expect(await outcome(transcribe('moss')(audio, service, options()))).toBe('ok');
    const [zombie, again] = endpoint.calls;
    expect(zombie?.closedBy).toBe('client');
    const computedMs = (again?.computedUntilMs ?? 0) - (zombie?.computedUntilMs ?? 0);
    expect(computedMs).toBeLessThan(400);
    await stub.close();
  });

  it('early-413 answers before the upload is read', async () => {
    const { stub, service } = await play('openai-transcription', { script: { default: 'early-413' } });
    const large = wavFile(600);
    // The status may never be seen when the service hangs up while we send; then it is a broken connection.
    expect(['ContentRejected', 'EndpointUnavailable']).toContain(
      await outcome(transcribe('openai-transcription')(large, service, options())),
    );
    await stub.close();
  });

  it.each([
    ['sse-error', /EngineCore/],
    ['sse-reset', /^cut/],
    ['sse-stall', /^stalled/],
  ])('%s breaks a stream', async (mode, expected) => {
    const { stub, service } = await play('openai-chat', { script: { default: mode } });
    const body = JSON.stringify({ model: service.model, messages: [], stream: true });
    const signal = AbortSignal.timeout(400);
    const answer = await fetch(`${service.url}/v1/chat/completions`, { method: 'POST', body, signal });
    const text = await answer.text().catch(() => (signal.aborted ? 'stalled' : 'cut'));
    expect(text).toMatch(expected);
    await stub.close();
  });

  it('asleep is healthy by its page and says so elsewhere', async () => {
    const { stub, service } = await play('openai-chat', { script: { health: 'asleep' } });
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    expect(await (await fetch(`${service.url}/is_sleeping`)).json()).toEqual({ is_sleeping: true });
    await stub.close();
  });
});
