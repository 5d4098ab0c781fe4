import { setTimeout as delay } from 'node:timers/promises';
import type { Health } from '../providers/provider.js';

const betweenChecksMs = 1000;

/**
 * Asks a service that computes on after a disconnect until it is idle, for at most `forSec`. Such services do not
 * answer their health check while they infer, so `ready` means idle. Returns what was found last.
 */
export async function untilIdle(
  check: () => Promise<Health>,
  forSec: number,
  cancellation: AbortSignal,
): Promise<Health> {
  const endsAtMs = Date.now() + 1000 * forSec;
  for (;;) {
    const health = await check();
    if (health !== 'busy' || Date.now() >= endsAtMs) return health;
    await delay(Math.min(betweenChecksMs, Math.max(1, endsAtMs - Date.now())), undefined, { signal: cancellation });
  }
}
