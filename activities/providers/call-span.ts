import { SpanKind, SpanStatusCode, context, propagation, trace, type Attributes, type Span } from '@opentelemetry/api';
import { CallFailure } from './call-failure.js';
import type { Service } from './provider.js';

interface Call {
  readonly service: Service;
  readonly method: string;
  readonly url: string;
  readonly purpose: string;
}

const tracer = trace.getTracer('holdfast');

/**
 * One HTTP call as a span, and the headers that let the service go on with the trace. Without a tracer, which is the
 * default, neither exists. Where and what for, no content: a query may hold a key.
 */
export async function inCallSpan<T>(
  { service, method, url, purpose }: Call,
  send: (span: Span, traceHeaders: Record<string, string>) => Promise<T>,
): Promise<T> {
  const attributes = {
    'http.request.method': method,
    'holdfast.endpoint': service.endpointId,
    'holdfast.model': service.model,
    'holdfast.purpose': purpose,
    ...placeOf(url),
  };
  return tracer.startActiveSpan(method, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    const traceHeaders: Record<string, string> = {};
    propagation.inject(context.active(), traceHeaders);
    try {
      return await send(span, traceHeaders);
    } catch (error) {
      const type = error instanceof CallFailure ? error.type : 'cancelled';
      span.setAttribute('error.type', type);
      span.setStatus({ code: SpanStatusCode.ERROR, message: type });
      throw error;
    } finally {
      span.end();
    }
  });
}

function placeOf(url: string): Attributes {
  if (!URL.canParse(url)) return {};
  const { hostname, port, pathname } = new URL(url);
  return { 'server.address': hostname, ...(port !== '' && { 'server.port': Number(port) }), 'url.path': pathname };
}
