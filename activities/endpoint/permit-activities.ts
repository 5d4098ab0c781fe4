import type { PermitActivities } from '../contracts.js';
import { ifThere, type EndpointMessenger } from './endpoint-messenger.js';

/** Local activities of an episode: one marker each in its history (`reference/permits.md`, P3). */
export function createPermitActivities(messenger: EndpointMessenger): PermitActivities {
  return {
    acquirePermit: ({ settings, request }) => messenger.acquire(settings, request),
    releasePermit: ({ endpointId, release }) => ifThere(messenger.release(endpointId, release)),
  };
}
