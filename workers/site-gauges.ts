import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { MetricMeter } from '@temporalio/common';
import { runningEndpoints } from '../activities/endpoint/running-endpoints.js';
import type { BreakerView } from '../src/breaker/view.js';
import { endpointWorkflowId, messageNames, workflowTypes } from '../src/messages.js';
import { metrics, type GaugeDefinition, type LabelsOf } from '../src/metrics.js';
import { logLine } from './log.js';

const usualIntervalMs = 15_000;
/** For each question; an entity whose worker has just died answers no sooner. */
const answerMs = 5000;

const circuitStates = ['closed', 'suspect', 'open', 'halfOpen', 'isolated', 'unknown'];
/** What `HoldfastState` says of those that have not ended. */
const openStates = {
  batches: ['running', 'holding', 'halted', 'paused', 'aborting'],
  episodes: ['running', 'holding', 'halted', 'paused'],
};

export interface RunningGauges {
  /** Resolves when nothing is asked any longer, and the connection may be closed. */
  stop(): Promise<void>;
}

/**
 * Keeps the gauges true until it is stopped: asks the server what is open and each endpoint's entity how it stands.
 * From here and not from the workflows, since an entity that moves to another worker would leave its last value behind.
 * What fails is logged once and tried again; `holdfast_gauges_updated_timestamp_seconds` tells how old the values are.
 */
export function startSiteGauges(client: Client, meter: MetricMeter, intervalMs = usualIntervalMs): RunningGauges {
  const stopping = new AbortController();
  const running = keepTrue(new SiteGauges(client, meter, stopping.signal), { intervalMs, signal: stopping.signal });
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function keepTrue(
  gauges: SiteGauges,
  { intervalMs, signal }: { readonly intervalMs: number; readonly signal: AbortSignal },
): Promise<void> {
  let isFailing = false;
  while (!signal.aborted) {
    try {
      await gauges.update();
      isFailing = false;
    } catch (error) {
      const isNews = !isFailing && !signal.aborted;
      isFailing = true;
      if (isNews) logLine('warn', 'the gauges could not be read from the server; they are old', { error });
    }
    await delay(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}

class SiteGauges {
  /** Endpoints that have a value: one that goes away has to be set to zero. */
  private readonly known = new Set<string>();

  constructor(
    private readonly client: Client,
    private readonly meter: MetricMeter,
    private readonly stopping: AbortSignal,
  ) {}

  async update(): Promise<void> {
    await this.updateEndpoints();
    await this.updateOpen(workflowTypes.reprocessBatch, metrics.openBatches, openStates.batches);
    await this.updateOpen(workflowTypes.processEpisode, metrics.openEpisodes, openStates.episodes);
    this.set(metrics.gaugesUpdated, Math.floor(Date.now() / 1000), {});
  }

  private async updateEndpoints(): Promise<void> {
    const running = new Set(await this.soon(() => runningEndpoints(this.client)));
    for (const endpointId of running) this.known.add(endpointId);
    await Promise.all([...this.known].map((endpointId) => this.updateEndpoint(endpointId, running.has(endpointId))));
  }

  private async updateEndpoint(endpoint: string, isRunning: boolean): Promise<void> {
    const view = isRunning ? await this.viewOf(endpoint) : undefined;
    const circuit = isRunning ? (view?.circuit ?? 'unknown') : undefined;
    for (const state of circuitStates) this.set(metrics.circuitState, state === circuit ? 1 : 0, { endpoint, state });
    // One that does not answer keeps its last numbers, and is called unknown.
    if (isRunning && view === undefined) return;
    this.set(metrics.permitsInUse, view?.held.length ?? 0, { endpoint });
    this.set(metrics.permitCapacity, view?.capacity ?? 0, { endpoint });
    this.set(metrics.permitsWaiting, view?.waiting.length ?? 0, { endpoint });
  }

  private viewOf(endpointId: string): Promise<BreakerView | undefined> {
    const handle = this.client.workflow.getHandle(endpointWorkflowId(endpointId));
    return this.soon(() => handle.query<BreakerView>(messageNames.endpoint.queries.state)).catch(() => undefined);
  }

  /** One count for each state: servers group counts by `ExecutionStatus` only. */
  private async updateOpen(
    type: string,
    metric: typeof metrics.openBatches | typeof metrics.openEpisodes,
    states: readonly string[],
  ): Promise<void> {
    for (const state of states) {
      const query = `WorkflowType = "${type}" AND ExecutionStatus = "Running" AND HoldfastState = "${state}"`;
      const { count } = await this.soon(() => this.client.workflow.count(query));
      this.set(metric, count, { state });
    }
  }

  private async soon<T>(ask: () => Promise<T>): Promise<T> {
    this.stopping.throwIfAborted();
    return this.client.withDeadline(Date.now() + answerMs, ask);
  }

  private set<M extends GaugeDefinition>(metric: M, value: number, labels: LabelsOf<M>): void {
    const { name, unit, help }: GaugeDefinition = metric;
    this.meter.createGauge(name, 'int', unit, help).set(value, labels);
  }
}
