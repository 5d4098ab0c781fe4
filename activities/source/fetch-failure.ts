import { systemCode } from '../store/store-error.js';
import { describePlace } from './describe-place.js';
import { SourceError } from './source-error.js';

/** Statuses below 500 that another try may get past. */
const transientStatuses = new Set([408, 425, 429]);

/** An answer that is neither 200 nor a redirect. */
export function statusError(status: number, url: string): SourceError {
  const kind = status >= 500 || transientStatuses.has(status) ? 'transient' : 'content';
  const meaning = status === 404 || status === 410 ? ' (dead link)' : '';
  return new SourceError(
    { kind, code: `HTTP_${status}` },
    `${describePlace(url)} answered ${status}${meaning}; expected 200.`,
  );
}

/** Sockets and names that may work a moment later. Everything else a client throws is the address's own fault. */
const transientCodes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'reset the connection',
  EPIPE: 'reset the connection',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  EADDRNOTAVAIL: 'cannot be reached',
  ETIMEDOUT: 'did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'did not answer in time',
  ENOTFOUND: 'has a host name that cannot be resolved',
  EAI_AGAIN: 'has a host name that cannot be resolved',
  UND_ERR_SOCKET: 'closed the connection before the end',
  UND_ERR_BODY_TIMEOUT: 'stopped sending in the middle',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'sent less than it announced',
  HPE_INVALID_CONSTANT: 'does not speak HTTP',
  EPROTO: 'does not speak TLS',
};

/**
 * An error of the HTTP client as a `SourceError`; by its code, never by its text. Errors that are not the client's
 * (a `SourceError`, a full disk while the body is stored, a bug) pass as they are.
 */
export function asSourceError(error: unknown, url: string): unknown {
  const code = systemCode(error);
  if (code === undefined || error instanceof SourceError) return error;
  const meaning = transientCodes[code] ?? transientCodes[causeCode(error) ?? ''];
  const place = describePlace(url);
  if (meaning !== undefined)
    return new SourceError({ kind: 'transient', code }, `${place} ${meaning} (${code}).`, { cause: error });
  if (/^(Z_|ERR__ERROR|ERR_BROTLI)/.test(code)) {
    return new SourceError({ kind: 'content', code }, `${place} sent a body that does not decompress (${code}).`, {
      cause: error,
    });
  }
  if (/^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code)) {
    return new SourceError({ kind: 'content', code }, `${place} has no valid certificate (${code}).`, { cause: error });
  }
  if (/^(UND_ERR_|HPE_)/.test(code)) {
    return new SourceError({ kind: 'transient', code }, `${place} could not be read (${code}).`, { cause: error });
  }
  return error;
}

function causeCode(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'cause' in error ? systemCode(error.cause) : undefined;
}
