import path from 'node:path';
import { diag, DiagLogLevel, type DiagLogger } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { Resource } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { Context } from '@temporalio/activity';
import type { ClientOptions, ClientPlugin, WorkflowClientInterceptor } from '@temporalio/client';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry/lib/client';
import {
  OpenTelemetryActivityInboundInterceptor,
  makeWorkflowExporter,
} from '@temporalio/interceptors-opentelemetry/lib/worker';
import type { OpenTelemetrySinks } from '@temporalio/interceptors-opentelemetry/lib/workflow';
import type {
  ActivityInterceptors,
  BundleOptions,
  BundlerPlugin,
  InjectedSinks,
  ReplayWorkerOptions,
  WorkerOptions,
  WorkerPlugin,
} from '@temporalio/worker';
import { OwnSpans } from './own-spans.js';
import type { TracedProcess, Tracing } from './tracing.js';

/** For one request to the collector, and for the last ones of a process. */
const exportTimeoutMs = 3000;

interface TracingSettings extends TracedProcess {
  readonly endpoint: string;
}

/** Sends spans to `<endpoint>/v1/traces`; keys for the collector come from `OTEL_EXPORTER_OTLP_HEADERS`. */
export function startOpenTelemetry({ endpoint, serviceName, onFault }: TracingSettings): Tracing {
  diag.setLogger(tellOnce(onFault), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const resource = new Resource({ 'service.name': serviceName });
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: exportTimeoutMs,
  });
  const spanProcessor = new OwnSpans(new BatchSpanProcessor(exporter, { exportTimeoutMillis: exportTimeoutMs }));
  const provider = new NodeTracerProvider({ resource, spanProcessors: [spanProcessor] });
  provider.register();
  return {
    plugins: [new TracingPlugin(makeWorkflowExporter(spanProcessor, resource))],
    stop: async () => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, exportTimeoutMs).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}

/** Tracing for clients, workers and the bundle of their workflows. */
class TracingPlugin implements ClientPlugin, WorkerPlugin, BundlerPlugin {
  readonly name = 'holdfast-tracing';

  constructor(private readonly exporter: InjectedSinks<OpenTelemetrySinks>['exporter']) {}

  configureClient(options: Omit<ClientOptions, 'plugins'>): Omit<ClientOptions, 'plugins'> {
    // What is begun in passing is an endpoint's entity: it outlives the trace of the batch that needed it first.
    const begunInPassing: WorkflowClientInterceptor = {
      signalWithStart: (input, next) => next({ ...input, headers: {} }),
    };
    return { ...options, interceptors: { workflow: [new OpenTelemetryWorkflowClientInterceptor(), begunInPassing] } };
  }

  configureWorker(options: WorkerOptions): WorkerOptions {
    const activity = (context: Context): ActivityInterceptors => ({
      inbound: new OpenTelemetryActivityInboundInterceptor(context),
    });
    return { ...options, interceptors: { activity: [activity] }, sinks: { exporter: this.exporter } };
  }

  configureReplayWorker(options: ReplayWorkerOptions): ReplayWorkerOptions {
    return { ...options, sinks: { exporter: this.exporter } };
  }

  configureBundler(options: BundleOptions): BundleOptions {
    const module = path.join(__dirname, '..', 'workflows', `tracing-interceptors${path.extname(__filename)}`);
    return { ...options, workflowInterceptorModules: [module] };
  }
}

function tellOnce(onFault: (reason: string) => void): DiagLogger {
  const silent = (): void => undefined;
  let isTold = false;
  const tell = (message: string): void => {
    if (!isTold) onFault(reasonIn(message));
    isTold = true;
  };
  return { error: tell, warn: tell, info: silent, debug: silent, verbose: silent };
}

/** The exporter tells an error as JSON with its stack. */
function reasonIn(message: string): string {
  return /"message":"([^"]{1,200})"/.exec(message)?.[1] ?? message.slice(0, 200);
}
