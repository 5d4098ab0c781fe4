import type { ClientPlugin } from '@temporalio/client';
import type { BundlerPlugin, WorkerPlugin } from '@temporalio/worker';
import type { Site } from './config.js';
import type * as implementation from './open-telemetry.js';

/** Tracing of one process. */
export interface Tracing {
  /** For clients, for workers and for the bundle of their workflows; none where tracing is off. */
  readonly plugins: (ClientPlugin & WorkerPlugin & BundlerPlugin)[];
  /** Sends what is still to be sent, for a few seconds at most. */
  stop(): Promise<void>;
}

export interface TracedProcess {
  readonly serviceName: 'holdfast-cli' | 'holdfast-worker';
  /** Told once that spans cannot be sent, and why; work goes on. */
  readonly onFault: (reason: string) => void;
}

/**
 * On exactly where a collector is named (`Site.tracingEndpoint`). Where it is off nothing of it is loaded, and bundle,
 * headers and histories are what they were.
 */
export function startTracing({ tracingEndpoint: endpoint }: Site, process: TracedProcess): Tracing {
  if (endpoint === undefined) return { plugins: [], stop: () => Promise.resolve() };
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- tsx leaves `import()` to Node
  const { startOpenTelemetry } = require('./open-telemetry.js') as typeof implementation;
  return startOpenTelemetry({ endpoint, ...process });
}
