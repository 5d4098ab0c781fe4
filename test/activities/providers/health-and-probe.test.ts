import { providerClients } from '../../../activities/providers/index.js';
import { failureOf, options, play, transcribe, wavFile, wires, type Played } from './support.js';

describe.each(wires)('%s', (wire) => {
  let played: Played;
  beforeAll(async () => {
    played = await play(wire);
  });
  afterEach(() => played.endpoint.reset());
  afterAll(() => played.stub.close());
  const client = providerClients[wire];
  const health = () => client.health(played.service, options({ deadlineMs: 1000 }));
  const probe = (deadlineMs = 20_000) => client.probe(played.service, options({ deadlineMs }));

  it('is ready, without a call that costs anything', async () => {
    expect(await health()).toBe('ready');
    expect(played.endpoint.counters).toMatchObject({ workCalls: 0, probeCalls: 0 });
  });

  it('is down when its port is closed', async () => {
    await played.endpoint.down();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await health()).toBe('down');
  });

  it('is busy when it does not answer in time, cuts the connection, or says that it is loading', async () => {
    played.endpoint.script({ health: 'reset', models: 'reset' });
    expect(await health()).toBe('busy');
    played.endpoint.script({ health: 'hang', models: 'hang' });
    expect(await health()).toBe('busy');
    played.endpoint.script({ health: 'loading', models: 'loading' });
    expect(await health()).toBe('busy');
  });

  it('is probed by one tiny real inference', async () => {
    await probe();
    expect(played.endpoint.counters).toMatchObject({ probeCalls: 1, workCalls: 0 });
    expect(played.endpoint.calls.every((call) => call.bytes < 64_000)).toBe(true);
  });

  it('fails its probe when health is fine and inference hangs, at the probe’s deadline', async () => {
    played.endpoint.script({ default: 'health-ok-infer-hang' });
    expect(await health()).toBe('ready');
    expect(await failureOf(probe(500))).toMatchObject({ type: 'EndpointUnavailable', hardTimeout: true });
  });

  it('fails its probe while it is loading or serves another model', async () => {
    played.endpoint.script({ default: 'loading' });
    expect((await failureOf(probe())).type).toBe('EndpointUnavailable');
    played.endpoint.script({ default: 'wrong-model', models: 'wrong-model' });
    expect((await failureOf(probe())).type).toBe('Misconfigured');
  });

  it('passes cancellation on from both', async () => {
    const reason = new Error('cancelled');
    played.endpoint.script({ health: 'hang', models: 'hang', default: 'hang' });
    const cancelledSoon = () => options({ cancellation: abortedAfter(100, reason) });
    await expect(client.health(played.service, cancelledSoon())).rejects.toBe(reason);
    await expect(client.probe(played.service, cancelledSoon())).rejects.toBe(reason);
  });
});

describe('pyannote.probe', () => {
  it('is content when the service heard nobody in its tone', async () => {
    const { stub, service } = await play('pyannote', { script: { default: 'no-speech-422' } });
    await expect(providerClients.pyannote.probe(service, options())).resolves.toBeUndefined();
    await stub.close();
  });
});

describe('health of an address that is none', () => {
  it('is down', async () => {
    const service = { endpointId: 'it', wire: 'moss', url: 'not a url', model: 'm' } as const;
    expect(await providerClients.moss.health(service, options())).toBe('down');
  });
});

describe('health of a service that blocks while it computes', () => {
  it('is busy, not down', async () => {
    const { stub, service } = await play('moss', { serial: true, healthBlocksWhileBusy: true, serviceMs: 1500 });
    const call = transcribe('moss')(wavFile(10), service, options());
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await providerClients.moss.health(service, options({ deadlineMs: 500 }))).toBe('busy');
    await call;
    expect(await providerClients.moss.health(service, options())).toBe('ready');
    await stub.close();
  });
});

function abortedAfter(ms: number, reason: Error): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => {
    controller.abort(reason);
  }, ms);
  return controller.signal;
}
