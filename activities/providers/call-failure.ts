import type { Classification } from '../../src/classify.js';
import type { CallFailureType, FailureDetails } from '../../src/failure.js';
import type { Service } from './provider.js';

/** What a client can say beyond the classification. */
export interface FailureFacts {
  readonly modelExpected?: string;
  readonly modelReported?: string;
}

/**
 * How a call to a service ended, classified beside the call. Carries codes and numbers, never a prompt, a transcript,
 * a body, a header or a key: it may go into Temporal's history, logs and alerts as it is.
 */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  readonly type: CallFailureType;
  readonly hardTimeout: boolean;
  readonly details: FailureDetails;

  constructor(
    readonly classification: Classification,
    service: Pick<Service, 'endpointId' | 'url'>,
    facts: FailureFacts = {},
  ) {
    const { type, hardTimeout, retryAfterMs, code, status, requestId, summary } = classification;
    const wait = retryAfterMs === undefined ? '' : `; it asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
    super(`${type}: ${service.endpointId} at ${placeOf(service.url)}: ${summary}${wait}`);
    this.type = type;
    this.hardTimeout = hardTimeout;
    this.details = {
      endpointId: service.endpointId,
      ...(status !== undefined && { status }),
      ...(code !== undefined && { code }),
      ...(requestId !== undefined && { requestId }),
      ...(hardTimeout && { hardTimeout }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...facts,
    };
  }
}

/** Host and path of a base URL: no user, password or query. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'an address that is no URL';
  const { host, pathname } = new URL(url);
  return `${host}${pathname === '/' ? '' : pathname}`;
}

/** A failure that we find ourselves, before or after the call: limits, models, unusable answers. */
export function ownFailure(
  type: CallFailureType,
  service: Pick<Service, 'endpointId' | 'url'>,
  facts: { readonly code: string; readonly summary: string } & FailureFacts,
): CallFailure {
  const { code, summary, ...models } = facts;
  return new CallFailure({ type, hardTimeout: false, code, summary }, service, models);
}
