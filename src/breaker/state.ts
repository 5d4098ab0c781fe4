import type { EndpointSettings } from '../endpoint.js';
import type { EndpointChange, HaltNotice, PermitRequest, ReleasePermit } from '../messages.js';

/** A permit that is out. `generation` is the circuit's when it was granted; a result of another one changes nothing. */
export interface Permit {
  readonly request: PermitRequest;
  readonly generation: number;
  readonly canary: boolean;
  readonly trial: boolean;
  readonly grantedAtMs: number;
  /** When the holder is looked at again; only armed while somebody waits. */
  readonly leaseUntilMs: number;
  readonly leaseSec: number;
  /** Set once the holder is gone: the slot is kept until its call has truly ended. */
  readonly drainUntilMs?: number;
}

interface Outage {
  /** The first trip of the outage; kept through failed canaries. The fuse counts from here. */
  readonly firstTrippedAtMs: number;
  readonly reason: string;
  /** Workflow ids that failed as canary in this outage, least recent first. */
  readonly suspects: readonly string[];
  /** The workflow that tripped it: the first canary. */
  readonly ownerWorkflowId: string;
}

/** States of design.md section 5; each holds only what it needs. */
export type Circuit =
  /** `ramp` is how many may be in flight; it doubles after as many successes, up to the capacity. */
  | { readonly kind: 'closed'; readonly ramp: number; readonly rampSuccesses: number; readonly sinceMs: number }
  | { readonly kind: 'suspect'; readonly ownerRequestId: string; readonly sinceMs: number; readonly reason: string }
  | (Outage & {
      readonly kind: 'open';
      readonly openedAtMs: number;
      readonly nextProbeAtMs: number;
      readonly probing: boolean;
      /** Waiting cannot help (AccountTerminal): no probe until somebody resumes. */
      readonly terminal: boolean;
    })
  | (Outage & { readonly kind: 'halfOpen'; readonly sinceMs: number; readonly canaryRequestId?: string })
  | { readonly kind: 'isolated'; readonly sinceMs: number; readonly reason: string };

/** A batch (or a lone episode) with waiters during an outage. */
export interface WaitingBatch {
  /** Where its wait clock starts: its first waiter in this outage, or its last `resume`. */
  readonly clockStartMs: number;
  readonly halted: boolean;
}

export interface BreakerState {
  readonly settings: EndpointSettings;
  /** Counts up on trip, on open to half-open and on close, and only then. */
  readonly generation: number;
  readonly circuit: Circuit;
  /** Begun without a past: nothing is granted until those who hold permits of a lost entity have been found. */
  readonly adopting?: true;
  readonly held: readonly Permit[];
  /** In the order of answer within a class; serve goes before reprocess. */
  readonly queue: readonly PermitRequest[];
  readonly batches: Readonly<Record<string, WaitingBatch>>;
  /** Inputs to be tried once more, alone, now that another got through. */
  readonly trials: readonly string[];
  readonly pacedUntilMs: number;
  /** Ends of exhausted failover calls, within the window. */
  readonly recentFailuresMs: readonly number[];
  /** Requests already released, newest last: a second release of one is a duplicate. */
  readonly releasedIds: readonly string[];
  /** Reasons alerted since the circuit last closed, so that none pages twice. */
  readonly alertedReasons: readonly string[];
  readonly lastProbe?: { readonly atMs: number; readonly ok: boolean; readonly reason?: string };
  readonly counters: Readonly<
    Record<'grants' | 'releases' | 'duplicates' | 'stale' | 'trips' | 'probes' | 'denied', number>
  >;
}

/** The classes of an event's cause that a probe can end in besides success. */
export interface ProbeFailure {
  readonly reason: string;
  /** AccountTerminal or Misconfigured: no recovery without a person. */
  readonly terminalType?: HaltNotice['failureType'];
}

/** All that can happen to an endpoint. Time arrives in the event, so that replay gives the same answer. */
export type BreakerEvent = {
  readonly nowMs: number;
  /** In a history that went another way where a batch began to wait (`newcomer.ts`). */
  readonly untold?: true;
} & (
  | { readonly kind: 'acquire'; readonly request: PermitRequest }
  | { readonly kind: 'release'; readonly release: ReleasePermit }
  | { readonly kind: 'callFailed'; readonly requestId: string; readonly reason: string }
  | { readonly kind: 'callSucceeded'; readonly requestId: string }
  | { readonly kind: 'probeEnded'; readonly failure?: ProbeFailure }
  | { readonly kind: 'tick' }
  | { readonly kind: 'holderChecked'; readonly requestId: string; readonly running: boolean }
  /** The permits that episodes have in hand although this entity, begun anew, did not grant them. */
  | {
      readonly kind: 'adopted';
      /** Of permits in hand. */
      readonly requests: readonly PermitRequest[];
      /** Of those who still wait for theirs. */
      readonly waiting?: readonly PermitRequest[];
    }
  | { readonly kind: 'drained'; readonly requestId: string }
  /** A grant could not be delivered: nobody will ever call under it. */
  | { readonly kind: 'undeliverable'; readonly requestId: string }
  | { readonly kind: 'episodeGone'; readonly workflowId: string }
  | { readonly kind: 'resumeBatch'; readonly batchWorkflowId: string }
  | { readonly kind: 'configure'; readonly settings: EndpointSettings }
  | { readonly kind: 'probeNow' }
  | { readonly kind: 'isolate'; readonly reason: string }
  | { readonly kind: 'reset' }
);

export interface BreakerAlert {
  /** trip: warning; fuseOpen and blocked: error; recovered: info (ADR-122). */
  readonly kind: 'trip' | 'fuseOpen' | 'blocked' | 'recovered';
  readonly reason: string;
  readonly batchWorkflowId?: string;
  readonly sinceMs: number;
}

/** What the entity's main loop does about it. */
export type BreakerEffect =
  | { readonly kind: 'grant'; readonly permit: Permit }
  | { readonly kind: 'deny'; readonly request: PermitRequest; readonly reason: string }
  | { readonly kind: 'halt'; readonly batchWorkflowId: string; readonly notice: HaltNotice }
  | { readonly kind: 'alert'; readonly alert: BreakerAlert }
  | { readonly kind: 'notify'; readonly workflowIds: readonly string[]; readonly change: EndpointChange }
  | { readonly kind: 'probe' }
  | { readonly kind: 'checkHolder'; readonly requestId: string; readonly workflowId: string }
  | { readonly kind: 'awaitIdle'; readonly requestId: string; readonly forSec: number };

/** How long after a holder vanished its slot is kept, beside the endpoint's `drainSec`: its activity's last heartbeat. */
export const holderGraceSec = 15;
export const firstLeaseSec = 60;
export const longestLeaseSec = 960;

export function initialBreakerState(settings: EndpointSettings, nowMs: number): BreakerState {
  return {
    settings,
    generation: 1,
    adopting: true,
    circuit: { kind: 'closed', ramp: settings.capacity, rampSuccesses: 0, sinceMs: nowMs },
    held: [],
    queue: [],
    batches: {},
    trials: [],
    pacedUntilMs: 0,
    recentFailuresMs: [],
    releasedIds: [],
    alertedReasons: [],
    counters: { grants: 0, releases: 0, duplicates: 0, stale: 0, trips: 0, probes: 0, denied: 0 },
  };
}
