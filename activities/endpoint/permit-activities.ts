import { Context } from '@temporalio/activity';
import type { EndpointSettings } from '../../src/endpoint.js';
import type { ArtifactStore } from '../artifact-store.js';
import type { PermitActivities, PlanOrPlace } from '../contracts.js';
import { planAt } from '../plan/plan-at.js';
import { classified, ClassifiedError } from '../throw-failure.js';
import { ifThere, type EndpointMessenger } from './endpoint-messenger.js';

export interface PermitDependencies {
  readonly messenger: EndpointMessenger;
  readonly store: (corpusDir: string) => ArtifactStore;
}

/** Local activities of an episode: one marker each in its history (`reference/permits.md`, P3). */
export function createPermitActivities({ messenger, store }: PermitDependencies): PermitActivities {
  return {
    acquirePermit: ({ endpointId, request, plan }) => {
      const settings = (): Promise<EndpointSettings> =>
        classified(() => settingsIn(plan, endpointId, store), Context.current().cancellationSignal);
      return messenger.acquire({ endpointId, request, settings });
    },
    releasePermit: ({ endpointId, release }) => ifThere(messenger.release(endpointId, release)),
  };
}

async function settingsIn(
  place: PlanOrPlace,
  endpointId: string,
  store: PermitDependencies['store'],
): Promise<EndpointSettings> {
  const plan = await planAt(place, store(place.corpusDir));
  const settings = plan.endpoints[endpointId];
  if (settings === undefined) throw new ClassifiedError('InvalidInput', `the plan lacks endpoint ${endpointId}`);
  return settings;
}
