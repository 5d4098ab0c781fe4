import { metricMeter } from '@temporalio/workflow';
import type { BreakerEffect, BreakerEvent, BreakerState } from '../src/breaker/state.js';
import { addTo, metrics } from '../src/metrics.js';

/** One event of an endpoint, and what it led to. */
export interface BreakerStep {
  readonly event: BreakerEvent;
  readonly before: BreakerState;
  readonly after: BreakerState;
  readonly effects: readonly BreakerEffect[];
}

/** Counts what happened to an endpoint; nothing during a replay. */
export function countBreaker({ event, before, after, effects }: BreakerStep): void {
  const labels = { endpoint: after.settings.endpointId };
  addTo(metricMeter, metrics.trips, { labels, value: after.counters.trips - before.counters.trips });
  addTo(metricMeter, metrics.permitsGranted, { labels, value: after.counters.grants - before.counters.grants });
  if (event.kind === 'probeEnded') {
    const outcome = event.failure === undefined ? 'ok' : 'failed';
    addTo(metricMeter, metrics.probes, { labels: { ...labels, outcome } });
  }
  for (const effect of effects) {
    if (effect.kind !== 'alert') continue;
    const { kind, sinceMs } = effect.alert;
    if (kind === 'fuseOpen') addTo(metricMeter, metrics.fuseOpens, { labels });
    if (kind !== 'recovered') continue;
    addTo(metricMeter, metrics.recoveries, { labels });
    addTo(metricMeter, metrics.outageSeconds, { labels, value: (event.nowMs - sinceMs) / 1000 });
  }
}
