import type { CallOptions } from './provider.js';

/** The time a client's method has: one signal that ends every request in it, and the reason why it ended. */
export interface CallScope {
  readonly signal: AbortSignal;
  /** Temporal's cancellation; its reason is passed on as it is. */
  readonly cancellation: AbortSignal;
  readonly deadlinePassed: boolean;
  readonly remainingMs: number;
}

/** A timer takes no more; beyond it, Node fires at once. */
const longestTimerMs = 2 ** 31 - 1;

class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

/**
 * Runs `call` under one absolute deadline that begins now and covers all it sends, bodies included. Not
 * `AbortSignal.any`: its listeners outlive the call on a long-lived cancellation signal.
 */
export async function withDeadline<T>(
  options: Pick<CallOptions, 'cancellation' | 'deadlineMs'>,
  call: (scope: CallScope) => Promise<T>,
): Promise<T> {
  const { cancellation, deadlineMs } = options;
  cancellation.throwIfAborted();
  const controller = new AbortController();
  const endsAtMs = Date.now() + deadlineMs;
  let deadlinePassed = false;
  const timer = setTimeout(
    () => {
      deadlinePassed = true;
      controller.abort(new DeadlinePassed('own deadline'));
    },
    Math.min(deadlineMs, longestTimerMs),
  );
  const onCancel = (): void => {
    controller.abort(cancellation.reason);
  };
  cancellation.addEventListener('abort', onCancel, { once: true });
  try {
    return await call({
      signal: controller.signal,
      cancellation,
      get deadlinePassed() {
        return deadlinePassed && !cancellation.aborted;
      },
      get remainingMs() {
        return Math.max(0, endsAtMs - Date.now());
      },
    });
  } finally {
    clearTimeout(timer);
    cancellation.removeEventListener('abort', onCancel);
  }
}

/** A shorter deadline inside of a scope, for a request that is not worth waiting for. */
export async function withLimit<T>(
  scope: CallScope,
  limitMs: number,
  call: (scope: CallScope) => Promise<T>,
): Promise<T> {
  // A scope that is over needs no shorter end; what is sent in it fails as the scope says.
  if (scope.signal.aborted) return call(scope);
  return withDeadline({ cancellation: scope.signal, deadlineMs: Math.min(limitMs, scope.remainingMs) }, (inner) =>
    call({
      signal: inner.signal,
      cancellation: scope.cancellation,
      get deadlinePassed() {
        return inner.deadlinePassed || scope.deadlinePassed;
      },
      get remainingMs() {
        return inner.remainingMs;
      },
    }),
  );
}
