import type { ProviderClient } from '../providers/provider.js';

/**
 * The extractive text stages as an endpoint like any other: computed in this process, so always there. What it "serves"
 * is what it is asked for.
 */
export const extractiveClient: ProviderClient = {
  health: () => Promise.resolve('ready'),
  servedModels: (service) => Promise.resolve([service.model]),
  probe: () => Promise.resolve(),
};
