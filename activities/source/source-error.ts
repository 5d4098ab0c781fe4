/**
 * Thrown when a feed or an audio file cannot be had. `content`: it is wrong in itself (dead link, not audio, not a
 * feed) and trying again cannot help. `transient`: refused, DNS, time-out, 5xx: the fetch activity's retry policy tries
 * again (3 retries from 10 s, doubling, at most 120 s; design.md section 3).
 */
export class SourceError extends Error {
  override readonly name = 'SourceError';

  readonly kind: 'content' | 'transient';
  /** Short and stable, e.g. `HTTP_404`, `NOT_AUDIO`, `ECONNREFUSED`. */
  readonly code: string;

  /** `message`: one sentence; never content of the feed, nor a URL's query, path or credentials (they may hold a token). */
  constructor(
    fault: { readonly kind: 'content' | 'transient'; readonly code: string },
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
    this.kind = fault.kind;
    this.code = fault.code;
  }
}

/** A fault of the feed or file itself. */
export function contentError(code: string, message: string): SourceError {
  return new SourceError({ kind: 'content', code }, message);
}
