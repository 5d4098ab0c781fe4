import type { CallRecord } from '../support/stub/call-log.js';
import type { EndpointServer } from '../support/stub/endpoint-server.js';

function wasAnswered({ kind, status, closedBy }: CallRecord): boolean {
  return kind === 'work' && status === 200 && closedBy === undefined;
}

/** Work calls answered to the end that had been answered to the end before, for the same input. */
export function repeatedCalls(endpoint: EndpointServer): number {
  const inputs = endpoint.calls
    .filter(wasAnswered)
    .map(({ fileSha256, body }) => fileSha256 ?? JSON.stringify(body));
  return inputs.length - new Set(inputs).size;
}
