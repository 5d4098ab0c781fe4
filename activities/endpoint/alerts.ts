import type { BreakerAlert } from '../../src/breaker/state.js';

/** Tells an operator. Never rejects: a failing alert must not fail work. */
export type RaiseAlert = (endpointId: string, alert: BreakerAlert) => Promise<void>;

/** ADR-122: a trip is a degradation, a fuse that opens is an outage, and recovery is news. */
export const alertLevels = { trip: 'warning', fuseOpen: 'error', blocked: 'error', recovered: 'info' } as const;

const texts: Readonly<Record<BreakerAlert['kind'], string>> = {
  trip: 'Circuit tripped',
  fuseOpen: 'Resilience fuse open, batch halted',
  blocked: 'Endpoint needs a person',
  recovered: 'Endpoint recovered',
};

export interface AlertMessage {
  readonly level: (typeof alertLevels)[BreakerAlert['kind']];
  readonly text: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Alerts of one fingerprint are one issue. */
  readonly fingerprint: readonly string[];
}

/** What is sent: codes and names only, never content. */
export function alertMessage(endpointId: string, alert: BreakerAlert): AlertMessage {
  const { kind, reason, batchWorkflowId, sinceMs } = alert;
  const batch = batchWorkflowId === undefined ? {} : { batch: batchWorkflowId };
  return {
    level: alertLevels[kind],
    text: `${texts[kind]}: ${endpointId} (${reason}), since ${new Date(sinceMs).toISOString()}`,
    tags: { endpoint: endpointId, kind, ...batch },
    fingerprint: ['holdfast', kind, endpointId, ...(kind === 'blocked' ? [reason] : [])],
  };
}
