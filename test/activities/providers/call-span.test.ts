import { SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { withDeadline } from '../../../activities/providers/call-scope.js';
import { send } from '../../../activities/providers/http.js';
import { useLoopbackServer } from '../../support/loopback-server.js';

describe('a span of an HTTP call', () => {
  const server = useLoopbackServer();
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  beforeAll(() => provider.register());
  beforeEach(() => exporter.reset());
  afterAll(() => provider.shutdown());

  async function post(): Promise<unknown> {
    const service = { endpointId: 'gemini', wire: 'gemini', url: server.url(''), model: 'flash' } as const;
    const request = { method: 'POST', purpose: 'work', json: { prompt: 'words of an episode' } } as const;
    const options = { cancellation: new AbortController().signal, deadlineMs: 10_000 };
    const url = server.url('/v1/answer?key=a-secret-key');
    return withDeadline(options, (scope) => send({ scope, service }, { ...request, url }));
  }

  it('says where it went and what came back, without query, body and headers', async () => {
    server.routes.set('/v1/answer', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"text":"an answer"}');
    });
    await post();

    const [span] = exporter.getFinishedSpans();
    expect(span?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'holdfast.endpoint': 'gemini',
      'holdfast.model': 'flash',
      'holdfast.purpose': 'work',
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(server.url('')).port),
      'url.path': '/v1/answer',
    });
  });

  it('names the class of a failure', async () => {
    server.routes.set('/v1/answer', (_, response) => response.writeHead(503).end('words that stay here'));
    await post().catch(() => undefined);

    const [span] = exporter.getFinishedSpans();
    expect(span?.attributes).toMatchObject({ 'http.response.status_code': 503, 'error.type': 'EndpointUnavailable' });
    expect(span?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'EndpointUnavailable' });
    expect(span?.events).toEqual([]);
  });
});
