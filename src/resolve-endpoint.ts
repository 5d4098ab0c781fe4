import type { EndpointOverride, HoldfastConfig } from './config.js';
import type { EndpointSettings } from './endpoint.js';
import { endpointDefaults } from './model-registry-endpoints.js';
import type { StageOption } from './model-registry-types.js';
import type { Tier } from './run-plan.js';

/** What the machine knows about where things are. */
export interface Places {
  readonly config: HoldfastConfig;
  /** Host of the GPU box; without it its endpoints need a URL of their own. */
  readonly dgxHost?: string | undefined;
  /** URLs of the local services that `holdfast up` started, by endpoint id. They give way to the configuration. */
  readonly localUrls?: Readonly<Record<string, string>> | undefined;
}

const circuitDefaults = {
  probeIntervalSec: 30,
  probeDeadlineSec: 60,
  cooldownSec: 300,
  failureThreshold: 2,
  failureWindowSec: 300,
} as const;

const hostPlaceholder = '{dgx_tailnet_host}';

/** Leaves the premises and costs money: by what the endpoint is, wherever a test points it. */
export function isCloudOption(option: StageOption): boolean {
  return option.endpointId !== undefined && endpointDefaults[option.endpointId]?.cloud === true;
}

function overrideOf(places: Places, endpointId: string): EndpointOverride {
  return places.config.endpoints?.[endpointId] ?? {};
}

/** The endpoint's base URL, or why there is none. */
function urlOf(places: Places, endpointId: string): { url: string } | { reason: string } {
  const template =
    overrideOf(places, endpointId).url ?? places.localUrls?.[endpointId] ?? endpointDefaults[endpointId]?.url;
  if (template === undefined) return { reason: `endpoint ${endpointId} has no URL: set endpoints.${endpointId}.url` };
  if (!template.includes(hostPlaceholder)) return { url: template };
  const host = places.config.dgx_tailnet_host ?? places.dgxHost;
  if (host === undefined || host === '') {
    const ways = `DGX_TAILNET_HOST, dgx_tailnet_host in the configuration, or endpoints.${endpointId}.url`;
    return { reason: `endpoint ${endpointId} is on a host of your tailnet that is not known: set ${ways}` };
  }
  return { url: template.replace(hostPlaceholder, host) };
}

/** The part of a tier that says what is called and where. */
export type TierTarget = Pick<Tier, 'wire' | 'model' | 'endpointId' | 'url' | 'apiKeyEnv'>;

/**
 * Makes an option concrete: URL, model and key name, with the configuration over the registry. A reason instead where
 * it cannot be built.
 */
export function buildTarget(option: StageOption, places: Places): { target: TierTarget } | { reason: string } {
  const { wire, endpointId } = option;
  if (wire === undefined || endpointId === undefined) {
    const ways = 'choose another option (local_extractive is always there)';
    return { reason: `no client here speaks to provider "${option.provider}"; ${ways}` };
  }
  const place = urlOf(places, endpointId);
  if ('reason' in place) return place;
  const override = overrideOf(places, endpointId);
  const model = override.model ?? option.model;
  if (model === undefined)
    return { reason: `endpoint ${endpointId} names no model: set endpoints.${endpointId}.model` };
  const apiKeyEnv = override.apiKeyEnv ?? endpointDefaults[endpointId]?.apiKeyEnv;
  return { target: { wire, model, endpointId, url: place.url, ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }) } };
}

/**
 * An endpoint's settings; the probe asks for the model of the first tier that uses it. Defaults of design.md section
 * 3 below the registry's below the configuration's.
 */
export function endpointSettings(tier: Tier, places: Places): EndpointSettings {
  const { endpointId, wire, url, model, apiKeyEnv } = tier;
  const known = endpointDefaults[endpointId];
  const override = overrideOf(places, endpointId);
  return {
    endpointId,
    capacity: override.capacity ?? known?.capacity ?? 1,
    probeIntervalSec: override.probe?.intervalSec ?? circuitDefaults.probeIntervalSec,
    probeDeadlineSec: override.probe?.deadlineSec ?? circuitDefaults.probeDeadlineSec,
    cooldownSec: override.cooldownSec ?? known?.cooldownSec ?? circuitDefaults.cooldownSec,
    failureThreshold: override.failureThreshold ?? known?.failureThreshold ?? circuitDefaults.failureThreshold,
    failureWindowSec: override.failureWindowSec ?? circuitDefaults.failureWindowSec,
    drainSec: override.drainSec ?? known?.drainSec ?? 0,
    probe: { wire, url, model, ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }) },
  };
}
