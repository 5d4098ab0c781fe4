import type { BatchCounts, BatchState } from './batch.js';
import type { EndpointChange, GivenOrder, HaltNotice } from './messages.js';

/** What the `progress` query answers: counts that add up, and the ids in work. */
export interface BatchProgress extends BatchCounts {
  readonly batchId: string;
  readonly state: BatchState;
  readonly window: number;
  readonly inWork: readonly string[];
}

/** What a batch does before its plan stands and its episodes are known. */
export type SetUpStep = 'resolving the plan' | 'checking the tiers' | 'listing the episodes';

/** What the `status` query answers: `progress`, and why the batch waits, in one sentence. */
export interface BatchStatus extends BatchProgress {
  readonly why: string;
  /** Absent while the plan does not stand, as are `failureStrategy` and `corpusDir`. */
  readonly profile?: string;
  readonly failureStrategy?: string;
  /** A path where the worker is. */
  readonly corpusDir?: string;
  /** Absent once the episodes are known. */
  readonly settingUp?: SetUpStep;
  readonly lastOrder?: GivenOrder;
  readonly endpoints: readonly EndpointChange[];
  readonly halts: readonly HaltNotice[];
  readonly lastFailures: readonly { readonly episodeId: string; readonly reason: string }[];
  readonly notes: readonly string[];
  readonly unknownMessages: readonly string[];
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

interface WaitFacts extends Pick<BatchStatus, 'state' | 'endpoints' | 'halts' | 'window' | 'settingUp' | 'lastOrder'> {
  readonly inWork: number;
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
    case 'holding':
      return endpoint === undefined ? 'Holding.' : whyHeld(endpoint);
    case 'paused':
      return `Paused${byWhom(facts, 'pause')}; \`resume\` goes on.`;
    case 'aborting':
      return `Being aborted${byWhom(facts, 'abort')}; calls in flight are being stopped.`;
    case 'running':
      return howItRuns(facts);
    case 'aborted':
      return `Ended: aborted${byWhom(facts, 'abort')}.`;
    case 'completed':
    case 'failed':
    case 'cancelled':
      return `Ended: ${facts.state}.`;
  }
}

function whyHeld({ endpointId, circuit, reason = 'no answer', ...known }: EndpointChange): string {
  const since = isoTime(known.sinceMs);
  if (circuit === 'isolated') {
    return `Holding for endpoint ${endpointId}, isolated by an operator since ${since} (${reason}); \`holdfast endpoints reset ${endpointId}\` lets calls through again.`;
  }
  const until = known.haltsAtMs === undefined ? '' : `; halts at ${isoTime(known.haltsAtMs)} unless it recovers`;
  const probed = known.probeIntervalSec === undefined ? '' : `; probed every ${known.probeIntervalSec} s`;
  return `Holding for endpoint ${endpointId}, ${circuit} since ${since} (${reason})${until}${probed}; last and next probe: query \`state\` of endpoint-breaker/${endpointId}.`;
}

function howItRuns({ settingUp, inWork, window }: WaitFacts): string {
  if (settingUp !== undefined) return `Setting up: ${settingUp}.`;
  if (inWork > window) return `Running: ${inWork} episodes in work, going down to ${window}.`;
  return `Running: ${inWork} of at most ${window} episodes in work.`;
}

/** ` by holdfast: the GPU is needed until noon`, as far as it is known of the last order. */
function byWhom({ lastOrder }: WaitFacts, order: GivenOrder['order']): string {
  const { by, reason } = lastOrder?.order === order ? lastOrder : {};
  return ` by ${by ?? 'an operator'}${reason === undefined ? '' : `: ${withoutFullStop(reason)}`}`;
}

/** For the middle of a sentence. */
export function withoutFullStop(text: string): string {
  return text.trim().replace(/\.$/, '');
}
