import { SpanStatusCode } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { OwnSpans } from '../../workers/own-spans.js';

describe('OwnSpans', () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new OwnSpans(new SimpleSpanProcessor(exporter))] });
  const tracer = provider.getTracer('test');
  beforeEach(() => exporter.reset());

  it('lets through what is meant to be seen, and nothing else', () => {
    const span = tracer.startSpan('RunActivity:summarize');
    span.setAttributes({ temporalWorkflowId: 'episode/b/e', 'holdfast.model': 'm', memo: 'words', prompt: 'words' });
    span.recordException(new Error('words'));
    span.setStatus({ code: SpanStatusCode.ERROR, message: 'EndpointUnavailable' });
    span.end();

    const [sent] = exporter.getFinishedSpans();
    expect(sent?.attributes).toEqual({ temporalWorkflowId: 'episode/b/e', 'holdfast.model': 'm' });
    expect(sent?.events).toEqual([]);
    expect(sent?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'EndpointUnavailable' });
    expect(sent?.spanContext()).toEqual(span.spanContext());
  });

  it('leaves out questions about how things stand', () => {
    for (const name of ['QueryWorkflow:status', 'HandleQuery:status', 'RunWorkflow:reprocessBatch']) {
      tracer.startSpan(name).end();
    }
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['RunWorkflow:reprocessBatch']);
  });
});
