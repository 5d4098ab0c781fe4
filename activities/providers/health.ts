import { connect } from 'node:net';
import { CallFailure } from './call-failure.js';
import { withDeadline } from './call-scope.js';
import { send } from './http.js';
import type { CallOptions, Health, Service } from './provider.js';

export interface HealthCheck {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether a 2xx body says ready; default: any does. */
  readonly isReady?: (body: unknown) => boolean;
}

/**
 * Cheap liveness. Three of the servers block their event loop while they infer, so a time-out means busy; only a port
 * that is closed or cannot be reached means down. Never throws but for cancellation.
 */
export async function checkHealth(service: Service, options: CallOptions, check: HealthCheck): Promise<Health> {
  const { url, headers = {}, isReady = () => true } = check;
  const limits = { ...options, deadlineMs: options.deadlineMs * 0.6 };
  try {
    const answer = await withDeadline(limits, (scope) =>
      send({ scope, service }, { method: 'GET', url, purpose: 'health', headers }),
    );
    return isReady(answer.json) ? 'ready' : 'busy';
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    const { status } = error.details;
    // vLLM's health is a 200 with no body at all.
    if (status !== undefined) return status >= 200 && status < 300 ? 'ready' : 'busy';
    return (await acceptsConnection(url, options)) ? 'busy' : 'down';
  }
}

/** Whether the port accepts a connection at all. */
async function acceptsConnection(url: string, options: CallOptions): Promise<boolean> {
  if (!URL.canParse(url)) return false;
  const { hostname, port, protocol } = new URL(url);
  const target = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
  const socket = connect(target);
  try {
    return await withDeadline({ ...options, deadlineMs: options.deadlineMs * 0.4 }, ({ signal }) => {
      return new Promise<boolean>((resolve, reject) => {
        socket.once('connect', () => {
          resolve(true);
        });
        socket.once('error', () => {
          resolve(false);
        });
        signal.addEventListener('abort', () => {
          if (options.cancellation.aborted) reject(options.cancellation.reason as Error);
          else resolve(false);
        });
      });
    });
  } finally {
    socket.destroy();
  }
}
