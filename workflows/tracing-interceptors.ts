import {
  ContinueAsNew,
  workflowInfo,
  type WorkflowExecuteInput,
  type WorkflowInterceptors,
  type WorkflowInboundCallsInterceptor,
} from '@temporalio/workflow';
import {
  extractContextFromHeaders,
  headersWithContext,
  instrument,
} from '@temporalio/interceptors-opentelemetry/lib/instrumentation';
import {
  OpenTelemetryInboundInterceptor,
  OpenTelemetryInternalsInterceptor,
} from '@temporalio/interceptors-opentelemetry/lib/workflow';
import { workflowTypes } from '../src/messages.js';

type Execute = NonNullable<WorkflowInboundCallsInterceptor['execute']>;

/** One span for a workflow's run, and none for its messages. */
class RunSpan {
  // The library's brings the tracer, its clock and the way out of the sandbox.
  private readonly tracer = new (class extends OpenTelemetryInboundInterceptor {
    readonly own = this.tracer;
  })().own;

  readonly execute: Execute = (input: WorkflowExecuteInput, next) => {
    const context = extractContextFromHeaders(input.headers);
    return instrument({
      tracer: this.tracer,
      spanName: `RunWorkflow:${workflowInfo().workflowType}`,
      fn: () => next(input),
      acceptableErrors: (error) => error instanceof ContinueAsNew,
      ...(context && { context }),
    });
  };
}

function traced<Input extends { readonly headers: WorkflowExecuteInput['headers'] }>(input: Input): Input {
  return { ...input, headers: headersWithContext(input.headers) };
}

/**
 * Part of the bundle only where tracing is on. Not the library's own: those wait a moment here and there, and what waits
 * changes the order of commands, so that a run begun without tracing could not go on with it, nor the other way round.
 */
export function interceptors(): WorkflowInterceptors {
  return {
    inbound: [new RunSpan()],
    outbound: [
      {
        scheduleActivity: (input, next) => next(traced(input)),
        scheduleLocalActivity: (input, next) => next(traced(input)),
        startChildWorkflowExecution: (input, next) => next(traced(input)),
        // An endpoint's entity lives for ever: each run of it is a trace of its own.
        continueAsNew: (input, next) =>
          next(workflowInfo().workflowType === workflowTypes.endpointBreaker ? input : traced(input)),
      },
    ],
    internals: [new OpenTelemetryInternalsInterceptor()],
  };
}
