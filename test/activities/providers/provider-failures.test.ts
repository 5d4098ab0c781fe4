import type { HttpWireShape } from '../../../activities/providers/index.js';
import { wireTable } from '../../support/stub/wire-table.js';
import { failureOf, play, work, type Played, wires } from './support.js';

/** Faults that any service may have, by the stub's modes, and what each must be taken for. */
const faults = [
  ['hang', 'EndpointUnavailable', true],
  ['hangbody', 'EndpointUnavailable', true],
  ['drip:40', 'EndpointUnavailable', true],
  ['slow-upload', 'EndpointUnavailable', true],
  ['short', 'EndpointUnavailable', false],
  ['truncated', 'EndpointUnavailable', false],
  ['reset', 'EndpointUnavailable', false],
  ['reset-upload', 'EndpointUnavailable', false],
  ['html200', 'EndpointUnavailable', false],
  ['html500', 'EndpointUnavailable', false],
  ['plain500', 'EndpointUnavailable', false],
  ['plain503', 'EndpointUnavailable', false],
  ['loading', 'EndpointUnavailable', false],
  ['bad-schema', 'InvalidAnswer', false],
  ['wrong-model', 'Misconfigured', false],
  ['404model', 'Misconfigured', false],
  ['413', 'ContentRejected', false],
  ['quota-terminal', 'AccountTerminal', false],
  ['rate-limit', 'RateLimited', false],
  ['200err:429', 'RateLimited', false],
  ['200err:404', 'Misconfigured', false],
] as const;

describe.each(wires)('%s', (wire) => {
  let played: Played;
  beforeAll(async () => {
    played = await play(wire);
  });
  afterEach(() => played.endpoint.reset());
  afterAll(() => played.stub.close());

  it.each(wireTable.filter((row) => row.wire === wire))(
    'takes $status $name for $type, after one call',
    async ({ status, body, headers, type }) => {
      played.endpoint.script({ rules: [{ when: { kind: 'work' }, reply: { status, body, headers: headers ?? {} } }] });
      const failure = await failureOf(work(played.service));
      expect(failure.type).toBe(type);
      expect(failure.details).toMatchObject({ endpointId: 'it', status });
      expect(played.endpoint.counters.workCalls).toBe(1);
    },
  );

  it.each(faults.filter((fault) => applies(wire, fault[0])))('takes %s for %s', async (mode, type, hardTimeout) => {
    played.endpoint.script({ default: mode });
    const failure = await failureOf(work(played.service, shortly(hardTimeout)));
    expect({ type: failure.type, hardTimeout: failure.hardTimeout }).toEqual({ type, hardTimeout });
    expect(played.endpoint.counters.workCalls).toBe(1);
  });

  it('takes a closed port for an unavailable endpoint', async () => {
    await played.endpoint.down();
    await new Promise((resolve) => setTimeout(resolve, 50)); // idle connections notice
    expect(await failureOf(work(played.service))).toMatchObject({
      type: 'EndpointUnavailable',
      hardTimeout: false,
      details: { code: 'ECONNREFUSED' },
    });
  });

  it('says nothing of prompt, body or key in its failures', async () => {
    played.endpoint.script({ default: '400context' });
    const { cancellation } = shortly(false);
    const failure = await failureOf(work(played.service, { cancellation, deadlineMs: 5000, apiKey: 'sk-secret' }));
    const told = `${JSON.stringify(failure)} ${failure.message} ${String(failure.stack)}`;
    expect(told).not.toMatch(/sk-secret|Maria Torres|maximum context/);
  });
});

/** The answers of these services are not read under the deadline's test where they come in one piece. */
function applies(wire: HttpWireShape, mode: string): boolean {
  if (mode === 'quota-terminal') return wire === 'openai-chat' || wire === 'deepgram'; // the others have no code for it
  // whisper-shaped answers name no model: its list does, see served-models.test.ts.
  return !(wire === 'openai-transcription' && mode === 'wrong-model') && !(mode === 'slow-upload' && isChat(wire));
}

/** A prompt fits into the socket's buffers: nothing of it can stall. */
function isChat(wire: HttpWireShape): boolean {
  return wire === 'openai-chat' || wire === 'ollama-chat' || wire === 'gemini';
}

function shortly(soon: boolean): { cancellation: AbortSignal; deadlineMs: number } {
  return { cancellation: new AbortController().signal, deadlineMs: soon ? 500 : 20_000 };
}
