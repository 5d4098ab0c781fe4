/**
 * Thrown when the corpus directory cannot be written or what it should hold is gone: disk full, read-only, permission
 * denied, a blob missing or damaged. Crosses Temporal as `StoreUnavailable`.
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

  /** The directory is none that this process can use, and stays so until somebody mends it or names another. */
  get isUnusablePlace(): boolean {
    return unusablePlaceCodes.has(this.code);
  }

  /** There is no room left; it may come back by itself, or somebody frees some. */
  get isOutOfSpace(): boolean {
    return this.code === 'ENOSPC' || this.code === 'EDQUOT';
  }
}

const unusablePlaceCodes: ReadonlySet<string> = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'ENOENT',
  'ELOOP',
  'ENAMETOOLONG',
]);

const explanations: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file is larger than this process may write',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied for this user',
  EPERM: 'permission denied for this user',
  ENOTDIR: 'part of the path is a file, not a directory',
  ENOENT: 'part of the path does not exist',
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
