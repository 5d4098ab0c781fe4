/**
 * Thrown when the corpus directory cannot be written or what it should hold is gone: disk full, read-only, no leave,
 * a blob missing or damaged. Crosses Temporal as `StoreUnavailable`.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';

  constructor(
    message: string,
    /** The system's code (`ENOSPC`, `EROFS`, `EACCES`, ...), or `MISSING`, `DAMAGED`. */
    readonly code: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }
}

const explanations: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space and resume',
  EDQUOT: 'the disk quota is used up; free some space and resume',
  EFBIG: 'the file is larger than this process may write',
  EROFS: 'the file system is read-only',
  EACCES: 'this user has no leave to',
  EPERM: 'this user has no leave to',
  ENOTDIR: 'part of the path is a file, not a directory',
  EMFILE: 'this process has too many files open',
  EIO: 'the disk reports an input/output error',
};

/** The system's error code, e.g. `ENOENT`; undefined for anything that is not a system error. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** A system error at `place` as a `StoreError` that says what to do; anything else as it is. */
export function asStoreError(error: unknown, place: string, doing: 'read' | 'write' = 'write'): unknown {
  const code = systemCode(error);
  if (code === undefined || error instanceof StoreError) return error;
  const explanation = explanations[code] ?? `the system answered ${code}`;
  const consequence = doing === 'write' ? ' Nothing was left half-written.' : '';
  return new StoreError(`Cannot ${doing} ${place}: ${explanation}.${consequence}`, code, { cause: error });
}
