import { Client } from '@temporalio/client';
import { Runtime, type NativeConnection } from '@temporalio/worker';
import { metrics } from '../src/metrics.js';
import type { Site } from './config.js';
import { createSdkLogger } from './log.js';
import { startSiteGauges, type RunningGauges } from './site-gauges.js';

/**
 * The SDK's own logs and metrics; `worker.metricsAddress` serves the metrics, Temporal's and ours, at `/metrics`.
 *
 * @throws Error where that address cannot be had
 */
export function installRuntime({ config }: Site): void {
  const bindAddress = config.worker?.metricsAddress;
  const common = { logger: createSdkLogger(), shutdownSignals: [] };
  const logging = { filter: 'WARN', forward: {} } as const;
  if (bindAddress === undefined) {
    Runtime.install({ ...common, telemetryOptions: { logging } });
    return;
  }
  const { name, buckets } = metrics.callDuration;
  const prometheus = { bindAddress, histogramBucketOverrides: { [name]: [...buckets] } };
  try {
    Runtime.install({ ...common, telemetryOptions: { logging, metrics: { prometheus } } });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`worker.metricsAddress ${bindAddress}: ${reason}`, { cause: error });
  }
}

/** What is so now, for whoever scrapes; nothing where nobody does. */
export function startGauges({ config, temporal }: Site, connection: NativeConnection): RunningGauges | undefined {
  if (config.worker?.metricsAddress === undefined) return undefined;
  // A client of its own: what it asks is not traced.
  const client = new Client({ connection, namespace: temporal.namespace });
  return startSiteGauges(client, Runtime.instance().metricMeter);
}
