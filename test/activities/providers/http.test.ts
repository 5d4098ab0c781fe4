import { Agent, getGlobalDispatcher, request, setGlobalDispatcher } from 'undici';
import { agentOptions } from '../../../activities/providers/http.js';
import { failureOf, options, play, work, type Played } from './support.js';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('send', () => {
  let played: Played;
  beforeEach(async () => {
    played = await play('openai-chat');
  });
  afterEach(() => played.stub.close());

  it('waits for an answer longer than any idle timer: only its deadline counts', async () => {
    const impatient = new Agent({ ...agentOptions, headersTimeout: 500, bodyTimeout: 500 });
    const { url } = played.endpoint;
    played.endpoint.script({ default: 'slow:2500ms' });
    const control = request(`${url}/v1/chat/completions`, { method: 'POST', body: '{}', dispatcher: impatient });
    await expect(control).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' });
    // With the same timers as the default of every client in this process, ours does not notice them.
    const before = getGlobalDispatcher();
    setGlobalDispatcher(impatient);
    try {
      await expect(work(played.service)).resolves.toMatchObject({ finishReason: 'stop' });
    } finally {
      setGlobalDispatcher(before);
      await impatient.destroy();
    }
    expect(agentOptions).toMatchObject({ headersTimeout: 0, bodyTimeout: 0 });
  });

  it('ends at its deadline while the body still drips, and closes the connection', async () => {
    played.endpoint.script({ default: 'drip:30' });
    const failure = await failureOf(work(played.service, options({ deadlineMs: 400 })));
    expect(failure).toMatchObject({ type: 'EndpointUnavailable', hardTimeout: true, details: { status: 200 } });
    await pause(100);
    expect(played.endpoint.calls[0]).toMatchObject({ closedBy: 'client' });
  });

  it.each(['hang', 'hangbody'])(
    'passes a cancellation on as it is under %s, and closes the connection',
    async (mode) => {
      played.endpoint.script({ default: mode });
      const controller = new AbortController();
      const reason = new Error('cancelled by Temporal');
      const call = work(played.service, options({ cancellation: controller.signal }));
      setTimeout(() => {
        controller.abort(reason);
      }, 150);
      await expect(call).rejects.toBe(reason);
      await pause(100);
      expect(played.endpoint.counters.closedByClient).toBe(1);
    },
  );

  it('sends nothing when it is cancelled before', async () => {
    const reason = new Error('too late');
    await expect(work(played.service, options({ cancellation: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    expect(played.endpoint.calls).toEqual([]);
  });

  it.each([
    ['status:503,retry-after=2', 'EndpointUnavailable', 2000],
    ['rate-limit,retry-after=7.5', 'RateLimited', 7500],
    ['rate-limit,retry-after-ms=1500', 'RateLimited', 1500],
    ['rate-limit,x-ratelimit-reset=6m0s', 'RateLimited', 360_000],
    ['gemini-retrydelay', 'RateLimited', 36_000],
    ['rate-limit,retry-after=-3', 'RateLimited', 0],
  ])('passes on what %s asks to wait', async (mode, type, retryAfterMs) => {
    played.endpoint.script({ default: mode });
    const failure = await failureOf(work(played.service));
    expect(failure).toMatchObject({ type, details: { retryAfterMs } });
  });

  it('reads a Retry-After date', async () => {
    played.endpoint.script({ default: 'rate-limit,retry-after=date+30' });
    const { details } = await failureOf(work(played.service));
    expect(details.retryAfterMs).toBeGreaterThan(25_000);
    expect(details.retryAfterMs).toBeLessThanOrEqual(30_000);
  });

  it('calls once, whatever comes back', async () => {
    played.endpoint.script({ default: 'reset' });
    await failureOf(work(played.service));
    expect(played.endpoint.counters.workCalls).toBe(1);
  });

  it('reports a cut of a kept connection, never sends again by itself, and recovers', async () => {
    played.endpoint.script({ default: 'reset-on-second' });
    const outcomes: string[] = [];
    for (let call = 0; call < 6; call++) {
      outcomes.push(
        await work(played.service).then(
          () => 'answered',
          (error: unknown) => (error as { type: string }).type,
        ),
      );
      await pause(20);
    }
    expect(new Set(outcomes)).toEqual(new Set(['answered', 'EndpointUnavailable']));
    expect(played.endpoint.counters.workCalls).toBe(6);
  });

  it('takes an address that is none, and a key that cannot be sent, for configuration faults that show neither', async () => {
    const address = await failureOf(work({ ...played.service, url: 'not a url' }));
    expect(address.type).toBe('Misconfigured');
    const key = await failureOf(work(played.service, options({ apiKey: 'sk-se\ncret' })));
    expect(key.type).toBe('Misconfigured');
    expect(`${key.message} ${String(key.stack)}`).not.toContain('cret');
  });
});
