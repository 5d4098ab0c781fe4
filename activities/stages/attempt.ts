import type { ProviderClient, Service } from '../providers/provider.js';

export interface AttemptServices {
  readonly client: ProviderClient;
  readonly service: Service;
  readonly apiKey?: string;
}

/** What an attempt's work is given. */
export interface Attempt {
  readonly cancellation: AbortSignal;
  /** Left of this attempt's absolute deadline, from now; text stages take it anew for each call. */
  readonly deadlineMs: number;
  /** Calls sent so far in this ladder, this attempt's included. */
  callsSoFar(): number;
  /** Tells of calls that were sent, whatever becomes of them. */
  sent(calls: number): void;
  /** Tells that one call of several was answered: deadlines and retries count from here. */
  answered(): Promise<void>;
}
