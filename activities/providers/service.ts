import type { Tier } from '../../src/run-plan.js';
import type { Service } from './provider.js';

/** The service that a tier names. */
export function serviceOf(tier: Tier): Service {
  const { endpointId, wire, url, model, apiKeyEnv, limits } = tier;
  const given = Object.fromEntries(Object.entries(limits ?? {}).filter(([, limit]) => limit !== undefined));
  return { endpointId, wire, url, model, limits: given, ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }) };
}
