import type { Client } from '@temporalio/client';
import { createBatchActivities, type BatchDependencies } from './batch-activities.js';
import type { BatchActivities, EndpointActivities, EpisodeActivities, PermitActivities } from './contracts.js';
import type { RaiseAlert } from './endpoint/alerts.js';
import { createEndpointActivities } from './endpoint/endpoint-activities.js';
import { createEndpointMessenger } from './endpoint/endpoint-messenger.js';
import { createPermitActivities } from './endpoint/permit-activities.js';
import { createEpisodeActivities, type EpisodeDependencies } from './episode-activities.js';
import { createStageActivities } from './stages/stage-activities.js';
import type { StageDependencies } from './stages/stage-work.js';
import type { OnViolation } from './stages/text-stages.js';

/** All that the activities need of the world; a worker gives the real ones. */
export interface ActivityDependencies
  extends
    Pick<StageDependencies, 'clients' | 'apiKey' | 'store' | 'nowMs' | 'random'>,
    Pick<EpisodeDependencies, 'ffmpegPath'>,
    Pick<BatchDependencies, 'plan'> {
  readonly client: Client;
  /** Task queue of the endpoints' entities. */
  readonly endpointsTaskQueue: string;
  readonly raiseAlert: RaiseAlert;
  readonly onViolation: OnViolation;
}

/** Activities by the queue whose worker runs them. */
export interface Activities {
  readonly main: EpisodeActivities & PermitActivities & BatchActivities;
  readonly endpoints: EndpointActivities;
}

export function createActivities(deps: ActivityDependencies): Activities {
  const messenger = createEndpointMessenger(deps.client, deps.endpointsTaskQueue);
  return {
    main: {
      ...createStageActivities({ ...deps, messenger }),
      ...createEpisodeActivities(deps),
      ...createPermitActivities({ ...deps, messenger }),
      ...createBatchActivities({ ...deps, messenger, preflight: deps }),
    },
    endpoints: createEndpointActivities(deps),
  };
}
