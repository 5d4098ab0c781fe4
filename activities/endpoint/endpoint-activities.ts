import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { Context } from '@temporalio/activity';
import type { EndpointSettings, WireShape } from '../../src/endpoint.js';
import type { EndpointActivities } from '../contracts.js';
import type { CallOptions, ProviderClient, Service } from '../providers/provider.js';
import { classOf } from '../throw-failure.js';
import type { RaiseAlert } from './alerts.js';
import { findHolders } from './find-holders.js';
import { untilIdle } from './until-idle.js';

export interface EndpointDependencies {
  readonly clients: Partial<Record<WireShape, ProviderClient>>;
  readonly apiKey: (envName: string) => string | undefined;
  readonly client: Client;
  readonly raiseAlert: RaiseAlert;
}

const heartbeatMs = 5000;

/** What an endpoint's entity lets others do for it. */
export function createEndpointActivities(deps: EndpointDependencies): EndpointActivities {
  return {
    probeEndpoint: ({ settings }) => probe(settings, deps),
    awaitIdle: ({ settings, forSec }) => awaitIdle(settings, forSec, deps),
    findHolders: ({ endpointId }) => findHolders(deps.client, endpointId),
    isWorkflowRunning: ({ workflowId }) => isWorkflowRunning(deps.client, workflowId),
    raiseAlert: ({ endpointId, alert }) => deps.raiseAlert(endpointId, alert),
  };
}

function callFor(settings: EndpointSettings, deadlineMs: number, deps: EndpointDependencies): [Service, CallOptions] {
  const { apiKeyEnv } = settings.probe;
  const apiKey = apiKeyEnv === undefined ? undefined : deps.apiKey(apiKeyEnv);
  const cancellation = Context.current().cancellationSignal;
  const service = { ...settings.probe, endpointId: settings.endpointId };
  return [service, { cancellation, deadlineMs, ...(apiKey === undefined ? {} : { apiKey }) }];
}

async function probe(
  settings: EndpointSettings,
  deps: EndpointDependencies,
): ReturnType<EndpointActivities['probeEndpoint']> {
  const client = deps.clients[settings.probe.wire];
  if (client === undefined) return { failure: { reason: `no client for wire shape ${settings.probe.wire}` } };
  const [service, options] = callFor(settings, 1000 * settings.probeDeadlineSec, deps);
  try {
    await client.probe(service, options);
    return {};
  } catch (error) {
    if (options.cancellation.aborted) throw error;
    const known = classOf(error);
    const facts = [known?.type ?? 'InternalError', known?.details.status, known?.details.code];
    const reason = facts.filter((fact) => fact !== undefined).join(' ');
    // What the service says of our input proves that it works; what only a person can mend is said to be so.
    if (known?.type === 'ContentRejected' || known?.type === 'InvalidAnswer' || known?.type === 'RateLimited')
      return {};
    const isTerminal = known?.type === 'AccountTerminal' || known?.type === 'Misconfigured';
    return { failure: { reason, ...(isTerminal ? { terminalType: known.type } : {}) } };
  }
}

async function awaitIdle(settings: EndpointSettings, forSec: number, deps: EndpointDependencies): Promise<boolean> {
  const client = deps.clients[settings.probe.wire];
  if (client?.healthProvesIdle !== true) return false;
  const [service, options] = callFor(settings, 0, deps);
  const timer = setInterval(() => Context.current().heartbeat(), heartbeatMs);
  try {
    await untilIdle({ client, service, options }, Date.now() + 1000 * forSec);
    return true;
  } finally {
    clearInterval(timer);
  }
}

async function isWorkflowRunning(client: Client, workflowId: string): Promise<boolean> {
  try {
    const { status } = await client.workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING' || status.name === 'PAUSED';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
