import type { BatchCounts, BatchState } from './batch.js';
import type { EndpointChange, HaltNotice } from './messages.js';

/** What the `progress` query answers: counts that add up, and the ids in work. */
export interface BatchProgress extends BatchCounts {
  readonly batchId: string;
  readonly state: BatchState;
  readonly window: number;
  readonly inWork: readonly string[];
}

/** What the `status` query answers: `progress`, and why the batch waits, in one sentence. */
export interface BatchStatus extends BatchProgress {
  readonly why: string;
  readonly profile: string;
  readonly failureStrategy: string;
  readonly endpoints: readonly EndpointChange[];
  readonly halts: readonly HaltNotice[];
  readonly lastFailures: readonly { readonly episodeId: string; readonly reason: string }[];
  readonly notes: readonly string[];
  readonly unknownMessages: readonly string[];
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

interface WaitFacts {
  readonly state: BatchState;
  readonly endpoints: readonly EndpointChange[];
  readonly halts: readonly HaltNotice[];
  readonly inWork: number;
  readonly window: number;
}

/** One sentence for an operator: what the batch waits for, since when, and what will happen. */
export function whyWaiting(facts: WaitFacts): string {
  const [halt] = facts.halts;
  const [endpoint] = facts.endpoints;
  switch (facts.state) {
    case 'halted':
      return halt === undefined
        ? 'Halted: too many episodes failed; `resume` goes on, `abort` ends the batch.'
        : `Halted by endpoint ${halt.endpointId} (${halt.reason}); \`resume\` probes it at once and goes on with the same model, \`abort\` ends the batch.`;
    case 'holding': {
      if (endpoint === undefined) return 'Holding.';
      const until =
        endpoint.haltsAtMs === undefined ? '' : `; halts at ${isoTime(endpoint.haltsAtMs)} unless it recovers`;
      const probed = endpoint.probeIntervalSec === undefined ? '' : `; probed every ${endpoint.probeIntervalSec} s`;
      return `Holding for endpoint ${endpoint.endpointId}, ${endpoint.circuit} since ${isoTime(endpoint.sinceMs)} (${endpoint.reason ?? 'no answer'})${until}${probed}; last and next probe: query \`state\` of endpoint-breaker/${endpoint.endpointId}.`;
    }
    case 'paused':
      return 'Paused by an operator; `resume` goes on.';
    case 'aborting':
      return 'Aborting: calls in flight are being stopped.';
    case 'running':
      return `Running: ${facts.inWork} of at most ${facts.window} episodes in work.`;
    case 'completed':
    case 'failed':
    case 'aborted':
    case 'cancelled':
      return `Ended: ${facts.state}.`;
  }
}
