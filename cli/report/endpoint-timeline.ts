import { z } from 'zod';
import type { AlertFact, EndpointFacts, Period, ProbeFact, StateSpan } from './facts.js';
import type { RunEvent } from './run-events.js';

const carriedCircuit = z.object({ carried: z.object({ circuit: z.object({ kind: z.string() }) }) });
const probeAnswer = z.object({ failure: z.object({ reason: z.string() }).optional() });
const raisedAlert = z.object({
  endpointId: z.string(),
  alert: z.object({
    kind: z.enum(['trip', 'fuseOpen', 'blocked', 'recovered']),
    reason: z.string(),
    batchWorkflowId: z.string().optional(),
    sinceMs: z.number(),
  }),
});

/** What an endpoint's entity went through during a batch, from its runs, oldest first. */
export function endpointTimeline(
  runs: readonly (readonly RunEvent[])[],
  period: Period,
): Pick<EndpointFacts, 'circuits' | 'probes' | 'alerts' | 'knownFromMs'> {
  const events = runs.flat();
  const isInside = ({ atMs }: { readonly atMs: number }): boolean => atMs >= period.fromMs && atMs <= period.toMs;
  const [first] = events;
  return {
    circuits: stateSpans(circuitChanges(events), period),
    probes: runs.flatMap(probesOf).filter(isInside),
    alerts: alertsOf(events).filter(isInside),
    ...(first === undefined ? {} : { knownFromMs: first.atMs }),
  };
}

interface Change {
  readonly atMs: number;
  readonly state: string;
}

function circuitChanges(events: readonly RunEvent[]): Change[] {
  return events.flatMap((event) => {
    if (event.kind === 'started') {
      const carried = carriedCircuit.safeParse(event.input);
      return [{ atMs: event.atMs, state: carried.success ? carried.data.carried.circuit.kind : 'closed' }];
    }
    const state = event.kind === 'attributes' ? event.values['HoldfastState'] : undefined;
    return typeof state === 'string' ? [{ atMs: event.atMs, state }] : [];
  });
}

/** What was, from change to change, within a period; stretches of one state are one. */
export function stateSpans(changes: readonly Change[], { fromMs, toMs }: Period): StateSpan[] {
  const spans: StateSpan[] = [];
  for (const [index, { atMs, state }] of changes.entries()) {
    const from = Math.max(fromMs, atMs);
    const to = Math.min(toMs, changes[index + 1]?.atMs ?? toMs);
    if (to <= from) continue;
    const last = spans.at(-1);
    if (last?.state === state && last.toMs === from) spans[spans.length - 1] = { ...last, toMs: to };
    else spans.push({ state, fromMs: from, toMs: to });
  }
  return spans;
}

/** Of one run: the ids of its activities are its own. */
function probesOf(events: readonly RunEvent[]): ProbeFact[] {
  const closings = new Map(
    events.flatMap((event) => (event.kind === 'closed' ? [[event.activityId, event] as const] : [])),
  );
  return events.flatMap((event) => {
    if (event.kind !== 'scheduled' || event.activity !== 'probeEndpoint') return [];
    const closed = closings.get(event.activityId);
    if (closed === undefined) return [{ atMs: event.atMs, ok: false, reason: 'not answered yet' }];
    const answer = probeAnswer.safeParse(closed.result);
    if (closed.how !== 'completed' || !answer.success)
      return [{ atMs: event.atMs, ok: false, reason: 'the probe got lost' }];
    const { failure } = answer.data;
    return [
      { atMs: event.atMs, ok: failure === undefined, ...(failure === undefined ? {} : { reason: failure.reason }) },
    ];
  });
}

function alertsOf(events: readonly RunEvent[]): AlertFact[] {
  return events.flatMap((event) => {
    if (event.kind !== 'scheduled' || event.activity !== 'raiseAlert') return [];
    const raised = raisedAlert.safeParse(event.input);
    if (!raised.success) return [];
    const { endpointId, alert } = raised.data;
    const { batchWorkflowId, ...known } = alert;
    return [{ ...known, ...(batchWorkflowId === undefined ? {} : { batchWorkflowId }), endpointId, atMs: event.atMs }];
  });
}
