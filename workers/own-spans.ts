import type { Context } from '@opentelemetry/api';
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace-node';

/** All that leaves the process of a span beside its name, ids, times and status: ids, names and codes, no content. */
const attributesKept: readonly string[] = [
  'temporalWorkflowId',
  'run_id',
  'workflowId',
  'runId',
  'temporalActivityId',
  'temporalUpdateId',
  'workflowType',
  'taskQueue',
  'namespace',
  'http.request.method',
  'http.response.status_code',
  'server.address',
  'server.port',
  'url.path',
  'error.type',
  'holdfast.endpoint',
  'holdfast.model',
  'holdfast.purpose',
];

/** Asking how things stand is nothing that happened: `status`, `watch` and the gauges do it all the time. */
const questions = ['QueryWorkflow:', 'HandleQuery:'];

/** Lets spans through to `inner` with nothing but what is meant to be seen; the interceptors add whatever they know. */
export class OwnSpans implements SpanProcessor {
  constructor(private readonly inner: SpanProcessor) {}

  onStart(span: Span, parent: Context): void {
    this.inner.onStart(span, parent);
  }

  onEnd(span: ReadableSpan): void {
    if (questions.some((prefix) => span.name.startsWith(prefix))) return;
    const kept = Object.entries(span.attributes).filter(([name]) => attributesKept.includes(name));
    this.inner.onEnd(
      Object.create(span, {
        attributes: { value: Object.fromEntries(kept) },
        // Stacks, and messages that the status has already.
        events: { value: [] },
      }) as ReadableSpan,
    );
  }

  forceFlush(): Promise<void> {
    return this.inner.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.inner.shutdown();
  }
}
