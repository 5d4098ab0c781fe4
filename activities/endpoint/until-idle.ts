import { setTimeout as delay } from 'node:timers/promises';
import type { CallOptions, ProviderClient, Service } from '../providers/provider.js';

const betweenChecksMs = 1000;
const healthDeadlineMs = 2000;

export interface IdleQuestion {
  readonly client: ProviderClient;
  readonly service: Service;
  readonly options: Omit<CallOptions, 'deadlineMs'>;
}

/**
 * Waits until a service that computes on after a disconnect is idle, or until `untilMs`, by when it is. Where no health
 * check can prove it, only the clock does.
 */
export async function untilIdle({ client, service, options }: IdleQuestion, untilMs: number): Promise<void> {
  const { cancellation } = options;
  while (Date.now() < untilMs) {
    if (client.healthProvesIdle === true) {
      const health = await client.health(service, { ...options, deadlineMs: healthDeadlineMs });
      // A port that takes no connection proves nothing: a busy machine looks the same.
      if (health === 'ready') return;
    }
    await delay(Math.min(betweenChecksMs, Math.max(1, untilMs - Date.now())), undefined, { signal: cancellation });
  }
}
