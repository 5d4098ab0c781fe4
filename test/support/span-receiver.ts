import { createServer } from 'node:http';
import { z } from 'zod';

const valueSchema = z.object({ stringValue: z.string().optional(), intValue: z.number().optional() });
const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(z.object({ key: z.string(), value: valueSchema })),
});
/** As much of an OTLP/JSON export request as is looked at. */
const exportSchema = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })) })),
});
export type ReceivedSpan = z.infer<typeof spanSchema>;

/** A collector on loopback that keeps what it is sent. */
export interface SpanReceiver {
  readonly spans: readonly ReceivedSpan[];
  /** Everything received, as it came. */
  readonly text: string;
  close(): Promise<void>;
}

/** Listens on this port of 127.0.0.1, at `/v1/traces`. */
export async function startSpanReceiver(port: number): Promise<SpanReceiver> {
  const spans: ReceivedSpan[] = [];
  let text = '';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      text += body;
      const { resourceSpans } = exportSchema.parse(JSON.parse(body));
      for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
      response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    spans,
    get text() {
      return text;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
