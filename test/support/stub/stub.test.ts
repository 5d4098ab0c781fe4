import { startControl } from './control.js';
import { startStub, type Stub } from './stub.js';

/** One second of silence: 16-bit mono at 8 kHz. */
function wav(seconds = 1, fill = 0): Buffer {
  const data = Buffer.alloc(seconds * 16_000, fill);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(16_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

function transcribe(
  url: string,
  init: { fill?: number; purpose?: string; signal?: AbortSignal } = {},
): Promise<Response> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(wav(10, init.fill))]), 'episode.wav');
  form.append('model', 'asr-model');
  form.append('response_format', 'verbose_json');
  const headers = { 'x-holdfast-purpose': init.purpose ?? 'work' };
  return fetch(`${url}/v1/audio/transcriptions`, { method: 'POST', body: form, headers, signal: init.signal ?? null });
}

describe('startStub', () => {
  let stub: Stub;
  beforeEach(async () => {
    stub = await startStub({ endpoints: { asr: { shape: 'speaches', model: 'asr-model' } } });
  });
  afterEach(() => stub.close());

  const asr = () => stub.endpoint('asr');

  it('answers the same bytes with the same text, long enough for ten seconds of speech', async () => {
    const first = (await (await transcribe(asr().url)).json()) as { text: string; duration: number };
    const again = (await (await transcribe(asr().url)).json()) as { text: string };
    const other = (await (await transcribe(asr().url, { fill: 1 })).json()) as { text: string };
    expect(first.duration).toBe(10);
    expect(first.text.split(' ').length).toBeGreaterThanOrEqual(25);
    expect(again.text).toBe(first.text);
    expect(other.text).not.toBe(first.text);
  });

  it('plays its steps by arrival, then the default', async () => {
    asr().script({ steps: [{ mode: 'status:503,retry-after=2', times: 2 }, { mode: 'html200' }], default: 'ok' });
    const answers = [];
    for (let call = 0; call < 4; call++) answers.push(await transcribe(asr().url));
    expect(answers.map((answer) => answer.status)).toEqual([503, 503, 200, 200]);
    expect(answers[0]?.headers.get('retry-after')).toBe('2');
    expect(answers[2]?.headers.get('content-type')).toContain('text/html');
  });

  it('logs what was asked and counts work apart from probes', async () => {
    await transcribe(asr().url);
    await transcribe(asr().url, { purpose: 'probe' });
    await fetch(`${asr().url}/health`);
    await fetch(`${asr().url}/v1/models`);
    expect(asr().counters).toMatchObject({
      workCalls: 1,
      probeCalls: 1,
      healthCalls: 1,
      modelsCalls: 1,
      maxInFlight: 1,
      modelsAsked: ['asr-model'],
    });
    expect(asr().calls[0]).toMatchObject({
      kind: 'work',
      modelAsked: 'asr-model',
      fileName: 'episode.wav',
      status: 200,
    });
    expect(asr().calls[0]?.fileSha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('closes its port when down by refusal and opens the same port again', async () => {
    const { url } = asr();
    await asr().down();
    await expect(transcribe(url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    await asr().up();
    expect(asr().url).toBe(url);
    expect((await transcribe(url)).status).toBe(200);
  });

  it('counts the calls that arrive while it is down by reset or status', async () => {
    await asr().down('status:503');
    expect((await transcribe(asr().url)).status).toBe(503);
    await asr().down('reset');
    await expect(transcribe(asr().url)).rejects.toMatchObject({
      cause: { code: expect.stringMatching(/ECONNRESET|EPIPE|SOCKET/) as string },
    });
    await asr().up();
    await transcribe(asr().url);
    expect(asr().counters).toMatchObject({ workCalls: 3, callsWhileDown: 2 });
  });

  it('comes back by way of loading after a limited outage', async () => {
    await asr().downFor(500, { loadingMs: 1500 });
    const met: (string | number)[] = [];
    while (met.at(-1) !== 200) {
      const answer = await transcribe(asr().url).then(
        ({ status }) => status,
        () => 'refused',
      );
      if (met.at(-1) !== answer) met.push(answer);
    }
    expect(met).toEqual(['refused', 503, 200]);
  });

  it('sees that the client closed the connection', async () => {
    asr().script({ default: 'hang' });
    await expect(transcribe(asr().url, { signal: AbortSignal.timeout(150) })).rejects.toThrow('aborted');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(asr().calls[0]).toMatchObject({ closedBy: 'client' });
    expect(asr().counters.closedByClient).toBe(1);
  });

  it('tells probes from work and one input from the others', async () => {
    await transcribe(asr().url);
    const good = asr().calls[0]?.fileSha256;
    asr().script({ rules: [{ when: { sha256: good ?? '' }, mode: 'status:500' }] });
    expect((await transcribe(asr().url)).status).toBe(500);
    expect((await transcribe(asr().url, { fill: 1 })).status).toBe(200);
    asr().script({ default: 'ok-for-probe-then-fail' });
    expect((await transcribe(asr().url, { purpose: 'probe' })).status).toBe(200);
    expect((await transcribe(asr().url)).status).toBe(500);
  });

  it('refuses an unknown mode when the script is set', () => {
    expect(() => {
      asr().script({ default: 'slwo:3' });
    }).toThrow("Unknown stub mode 'slwo:3'");
  });

  it('is scripted and read over HTTP', async () => {
    const control = await startControl(stub);
    const post = (path: string, body: object) =>
      fetch(`${control.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
    await post('/__stub/script', { endpoint: 'asr', steps: [{ mode: 'plain500' }] });
    expect((await transcribe(asr().url)).status).toBe(500);
    const log = (await (await fetch(`${control.url}/__stub/log`)).json()) as { calls: unknown[]; counters: object };
    expect(log).toMatchObject({ calls: [{ endpoint: 'asr', status: 500 }], counters: { asr: { workCalls: 1 } } });
    await post('/__stub/reset', {});
    expect(asr().calls).toEqual([]);
    expect((await post('/__stub/script', { endpoint: 'nobody' })).status).toBe(400);
    await control.close();
  });
});

describe('computing', () => {
  it('counts a zombie that computes on after its client has gone', async () => {
    const stub = await startStub({
      endpoints: { asr: { shape: 'speaches', model: 'asr-model', serviceMs: 400, zombieMs: 10_000 } },
    });
    const asr = stub.endpoint('asr');
    await expect(transcribe(asr.url, { signal: AbortSignal.timeout(150) })).rejects.toThrow('aborted');
    await transcribe(asr.url);
    expect(asr.counters.maxInFlight).toBe(2);
    await stub.close();
  });

  it('queues calls and blocks health where one thread does it all', async () => {
    const stub = await startStub({
      endpoints: {
        asr: { shape: 'whisper', model: 'asr-model', serviceMs: 300, serial: true, healthBlocksWhileBusy: true },
      },
    });
    const { url } = stub.endpoint('asr');
    const calls = Promise.all([transcribe(url), transcribe(url, { fill: 1 })]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await fetch(`${url}/health`);
    await calls;
    const [first, second, health] = stub.endpoint('asr').calls;
    expect(second?.endedAtMs).toBeGreaterThanOrEqual(first?.endedAtMs ?? Infinity);
    expect(health?.endedAtMs).toBeGreaterThanOrEqual(second?.computedUntilMs ?? Infinity);
    await stub.close();
  });
});
