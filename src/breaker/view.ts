import type { GateAnswer } from '../messages.js';
import { haltsAtMs } from './draft.js';
import type { BreakerState } from './state.js';

/** May the holder of `requestId` send its next attempt? Read only: it is asked before every attempt but the first. */
export function gateAnswer(state: BreakerState, requestId: string): GateAnswer {
  const permit = state.held.find((held) => held.request.requestId === requestId && held.drainUntilMs === undefined);
  if (permit === undefined) return 'lost';
  const { circuit } = state;
  switch (circuit.kind) {
    case 'closed':
      return permit.generation === state.generation ? 'go' : 'wait';
    case 'suspect':
      return circuit.ownerRequestId === requestId ? 'go' : 'wait';
    case 'halfOpen':
      return circuit.canaryRequestId === requestId ? 'go' : 'wait';
    case 'open':
    case 'isolated':
      return 'wait';
  }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** What the `state` query answers: who holds, who waits, why, and what happens next. */
export interface BreakerView {
  readonly endpointId: string;
  readonly circuit: string;
  readonly since: string;
  readonly reason?: string;
  readonly generation: number;
  readonly capacity: number;
  readonly held: readonly { workflowId: string; since: string; canary: boolean; draining: boolean }[];
  readonly waiting: readonly { workflowId: string; strategy: string }[];
  readonly halted: readonly string[];
  readonly haltsAt: Readonly<Record<string, string>>;
  readonly lastProbe?: { readonly at: string; readonly ok: boolean; readonly reason?: string };
  readonly nextProbeAt?: string;
  readonly pacedUntil?: string;
  readonly counters: BreakerState['counters'];
}

export function viewBreaker(state: BreakerState): BreakerView {
  const { circuit, lastProbe } = state;
  const haltTimes = Object.keys(state.batches).flatMap((id) => {
    const atMs = haltsAtMs(state, id);
    return atMs === undefined ? [] : [[id, isoTime(atMs)] as const];
  });
  return {
    endpointId: state.settings.endpointId,
    circuit: circuit.kind,
    since: isoTime('firstTrippedAtMs' in circuit ? circuit.firstTrippedAtMs : circuit.sinceMs),
    ...('reason' in circuit ? { reason: circuit.reason } : {}),
    generation: state.generation,
    capacity: state.settings.capacity,
    held: state.held.map((permit) => ({
      workflowId: permit.request.workflowId,
      since: isoTime(permit.grantedAtMs),
      canary: permit.canary,
      draining: permit.drainUntilMs !== undefined,
    })),
    waiting: state.queue.map(({ workflowId, strategy }) => ({ workflowId, strategy })),
    halted: Object.keys(state.batches).filter((id) => state.batches[id]?.halted === true),
    haltsAt: Object.fromEntries(haltTimes),
    ...(lastProbe
      ? {
          lastProbe: {
            at: isoTime(lastProbe.atMs),
            ok: lastProbe.ok,
            ...(lastProbe.reason ? { reason: lastProbe.reason } : {}),
          },
        }
      : {}),
    ...(circuit.kind === 'open' && !circuit.probing && !circuit.terminal
      ? { nextProbeAt: isoTime(circuit.nextProbeAtMs) }
      : {}),
    ...(state.pacedUntilMs > 0 ? { pacedUntil: isoTime(state.pacedUntilMs) } : {}),
    counters: state.counters,
  };
}

/** Markdown for the Web UI. */
export function describeBreaker(state: BreakerState): string {
  const view = viewBreaker(state);
  const lines = [
    `**${view.endpointId}** is **${view.circuit}** since ${view.since}${view.reason === undefined ? '' : ` (${view.reason})`}.`,
    `In use: ${view.held.length} of ${view.capacity}. Waiting: ${view.waiting.length}.`,
    ...(view.lastProbe
      ? [`Last probe ${view.lastProbe.at}: ${view.lastProbe.ok ? 'ok' : (view.lastProbe.reason ?? 'failed')}.`]
      : []),
    ...(view.nextProbeAt === undefined ? [] : [`Next probe at ${view.nextProbeAt}.`]),
    ...Object.entries(view.haltsAt).map(([batch, at]) => `\`${batch}\` halts at ${at} unless it recovers.`),
    ...view.halted.map((batch) => `\`${batch}\` is halted: signal \`resume\` or \`abort\`.`),
  ];
  return lines.join('\n\n');
}
