/*
 * Every metric of ours, once: name, kind, unit, labels and help, by Prometheus' conventions. Temporal's own stand beside
 * them on the worker's endpoint. Labels are ids of the configuration and names from fixed lists, so that the number of
 * series is bounded: no episode, no batch.
 */

interface Definition {
  readonly name: string;
  readonly labels: readonly string[];
  readonly help: string;
  readonly unit?: string;
}
export interface CounterDefinition extends Definition {
  readonly kind: 'counter';
}
export interface GaugeDefinition extends Definition {
  readonly kind: 'gauge';
}
export interface HistogramDefinition extends Definition {
  readonly kind: 'histogram';
  /** Upper bounds, in the metric's unit. */
  readonly buckets: readonly number[];
}
export type MetricDefinition = CounterDefinition | GaugeDefinition | HistogramDefinition;

/** A value for each of a metric's labels. */
export type LabelsOf<M extends MetricDefinition> = Readonly<Record<M['labels'][number], string>>;

export const metrics = {
  // The circuit of an endpoint; counted by its entity.
  trips: {
    kind: 'counter',
    name: 'holdfast_trips_total',
    labels: ['endpoint'],
    help: 'Circuits that opened.',
  },
  probes: {
    kind: 'counter',
    name: 'holdfast_probes_total',
    labels: ['endpoint', 'outcome'],
    help: 'Probes that ended; outcome ok or failed.',
  },
  recoveries: {
    kind: 'counter',
    name: 'holdfast_recoveries_total',
    labels: ['endpoint'],
    help: 'Outages that ended: circuits that closed again.',
  },
  fuseOpens: {
    kind: 'counter',
    name: 'holdfast_fuse_opens_total',
    labels: ['endpoint'],
    help: 'Batches halted because an endpoint did not recover in time.',
  },
  outageSeconds: {
    kind: 'counter',
    name: 'holdfast_outage_seconds_total',
    unit: 's',
    labels: ['endpoint'],
    help: 'Seconds from the first trip of an outage to its end, added when the circuit closes.',
  },
  permitsGranted: {
    kind: 'counter',
    name: 'holdfast_permits_granted_total',
    labels: ['endpoint'],
    help: 'Permits granted.',
  },

  // Episodes and batches; counted by their workflows.
  holdSeconds: {
    kind: 'counter',
    name: 'holdfast_hold_seconds_total',
    unit: 's',
    labels: ['endpoint'],
    help: 'Seconds that episodes were held by an endpoint that was not well, added when each goes on.',
  },
  stagesEnded: {
    kind: 'counter',
    name: 'holdfast_stages_ended_total',
    labels: ['stage', 'outcome'],
    help: 'Stages that ended; outcome executed, reused, skipped, degraded or failed.',
  },
  episodesEnded: {
    kind: 'counter',
    name: 'holdfast_episodes_ended_total',
    labels: ['outcome', 'failure_type'],
    help: 'Episodes that ended; outcome done, failed or cancelled, and the class of the failure.',
  },
  batchesEnded: {
    kind: 'counter',
    name: 'holdfast_batches_ended_total',
    labels: ['outcome'],
    help: 'Batches that ended; outcome completed, failed, aborted or cancelled.',
  },

  // Calls to model services; counted where they are sent.
  calls: {
    kind: 'counter',
    name: 'holdfast_calls_total',
    labels: ['endpoint', 'stage', 'model', 'outcome'],
    help: 'Calls of stages to model services; outcome ok, cancelled or the class of the failure.',
  },
  callDuration: {
    kind: 'histogram',
    name: 'holdfast_call_duration_seconds',
    unit: 's',
    labels: ['endpoint', 'stage', 'model'],
    help: 'Seconds from sending a call to the end of its answer.',
    // From a small completion to the transcription of two hours on a slow machine.
    buckets: [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1200, 2400, 4800],
  },
  violations: {
    kind: 'counter',
    name: 'holdfast_guardrail_violations_total',
    labels: ['service', 'reason', 'endpoint'],
    help: 'Answers that arrived and were no use; service is the question that was asked.',
  },
  rerolls: {
    kind: 'counter',
    name: 'holdfast_rerolls_total',
    labels: ['service', 'endpoint'],
    help: 'Invalid answers that were asked for once more.',
  },

  // What is so now; every worker asks the server, and reports the same: read them with max by (...).
  permitsInUse: {
    kind: 'gauge',
    name: 'holdfast_permits_in_use',
    labels: ['endpoint'],
    help: 'Permits that are out.',
  },
  permitCapacity: {
    kind: 'gauge',
    name: 'holdfast_permit_capacity',
    labels: ['endpoint'],
    help: 'Permits that may be out at once; 0: the endpoint is gone.',
  },
  permitsWaiting: {
    kind: 'gauge',
    name: 'holdfast_permits_waiting',
    labels: ['endpoint'],
    help: 'Requests for a permit in the queue.',
  },
  circuitState: {
    kind: 'gauge',
    name: 'holdfast_circuit_state',
    labels: ['endpoint', 'state'],
    help: '1 for the state the circuit is in, 0 for the others; unknown: the entity does not answer.',
  },
  openBatches: {
    kind: 'gauge',
    name: 'holdfast_open_batches',
    labels: ['state'],
    help: 'Batches that have not ended, by state.',
  },
  openEpisodes: {
    kind: 'gauge',
    name: 'holdfast_open_episodes',
    labels: ['state'],
    help: 'Episodes that have not ended, by state.',
  },
  gaugesUpdated: {
    kind: 'gauge',
    name: 'holdfast_gauges_updated_timestamp_seconds',
    unit: 's',
    labels: [],
    help: 'When these gauges were last read from the server, in Unix time.',
  },
} as const satisfies Record<string, MetricDefinition>;

/** As much of Temporal's meter as counting needs; workflows, activities and the worker each have their own. */
export interface CounterMeter {
  createCounter(
    name: string,
    unit?: string,
    description?: string,
  ): { add(value: number, tags: Record<string, string>): void };
}

/** Adds to a counter; whole numbers, as Temporal's counters take no others. */
export function addTo<M extends CounterDefinition>(
  meter: CounterMeter,
  metric: M,
  { labels, value = 1 }: { readonly labels: LabelsOf<M>; readonly value?: number },
): void {
  if (value <= 0) return;
  const { name, unit, help }: CounterDefinition = metric;
  meter.createCounter(name, unit, help).add(Math.round(value), labels);
}
