import { classify, type CallOutcome, type Classification } from '../../src/classify.js';
import type { WireShape } from '../../src/endpoint.js';
import type { CallFailureType } from '../../src/failure.js';
import { wireTable } from '../support/stub/wire-table.js';

const base = { wire: 'openai-chat', cancelled: false, deadlinePassed: false, nowMs: 0 } as const;

function classified(outcome: Partial<CallOutcome>): Classification {
  const result = classify({ ...base, ...outcome });
  if (result === 'cancelled') throw new Error('was taken for cancelled');
  return result;
}

const response = (status: number, body?: unknown, headers: Record<string, string> = {}) => ({
  response: { status, headers, body },
});

describe('classify', () => {
  it.each(wireTable)('takes $wire $status $name for $type', ({ wire, status, body, headers, type }) => {
    expect(classified({ wire, ...response(status, typeof body === 'string' ? undefined : body, headers) }).type).toBe(
      type,
    );
  });

  it('puts cancellation before everything else', () => {
    expect(classify({ ...base, cancelled: true, deadlinePassed: true, ...response(401) })).toBe('cancelled');
  });

  it('puts its own deadline before a status, as a hard timeout', () => {
    expect(classified({ deadlinePassed: true, ...response(200) })).toMatchObject({
      type: 'EndpointUnavailable',
      hardTimeout: true,
    });
  });

  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'UND_ERR_SOCKET',
    'UND_ERR_CONNECT_TIMEOUT',
    undefined,
  ])('takes transport code %s for an unavailable endpoint, and not for a hard timeout', (transportCode) => {
    expect(classified(transportCode === undefined ? {} : { transportCode })).toMatchObject({
      type: 'EndpointUnavailable',
      hardTimeout: false,
    });
  });

  it.each(['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_INVALID_URL'])(
    'takes %s for a configuration fault',
    (transportCode) => {
      expect(classified({ transportCode }).type).toBe('Misconfigured');
    },
  );

  it('lets a status that was seen outweigh the connection that broke afterwards', () => {
    expect(classified({ transportCode: 'EPIPE', ...response(413) }).type).toBe('ContentRejected');
    expect(classified({ transportCode: 'UND_ERR_SOCKET', ...response(200) })).toMatchObject({
      type: 'EndpointUnavailable',
      code: 'UND_ERR_SOCKET',
    });
  });

  it('takes a success that is no JSON for an unavailable endpoint', () => {
    expect(classified(response(200)).type).toBe('EndpointUnavailable');
  });

  it.each([
    [404, 'Misconfigured'],
    [429, 'RateLimited'],
    [500, 'EndpointUnavailable'],
    ['model_not_found', 'Misconfigured'],
    ['insufficient_quota', 'AccountTerminal'],
    ['context_length_exceeded', 'ContentRejected'],
    [null, 'EndpointUnavailable'],
  ] as const)('judges a 200 that carries error code %p by that code', (code, type) => {
    expect(classified(response(200, { error: { message: 'x', code } })).type).toBe(type);
  });

  it('tells a wrong answer from a declined input', () => {
    expect(classified({ ...response(200, {}), answerFault: { reason: 'schema' } })).toMatchObject({
      type: 'InvalidAnswer',
      code: 'schema',
    });
    expect(classified({ ...response(200, {}), answerFault: { reason: 'SAFETY', refused: true } }).type).toBe(
      'ContentRejected',
    );
  });

  it('passes on what the service asks us to wait, its code and its request id', () => {
    const body = { error: { message: 'slow down', type: 'requests', code: 'rate_limit_exceeded' } };
    expect(classified(response(429, body, { 'retry-after': '2', 'x-request-id': 'r-1' }))).toEqual({
      type: 'RateLimited',
      hardTimeout: false,
      retryAfterMs: 2000,
      code: 'rate_limit_exceeded',
      status: 429,
      requestId: 'r-1',
      summary: 'HTTP 429 (rate_limit_exceeded)',
    });
  });

  it('says nothing of a body beyond its codes', () => {
    const body = { detail: [{ loc: ['body'], msg: 'secret transcript', input: 'secret transcript' }] };
    const all: WireShape[] = ['moss', 'openai-transcription', 'openai-chat'];
    const types: CallFailureType[] = all.map((wire) => {
      const result = classified({ wire, ...response(422, body) });
      expect(JSON.stringify(result)).not.toContain('secret');
      return result.type;
    });
    expect(types).toEqual(['Misconfigured', 'ContentRejected', 'ContentRejected']);
  });
});
