import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { EndpointSettings } from '../../src/endpoint.js';
import {
  endpointWorkflowId,
  messageNames,
  workflowTypes,
  type CallReport,
  type GateAnswer,
  type PermitAnswer,
  type PermitRequest,
  type ReleasePermit,
} from '../../src/messages.js';

const names = messageNames.endpoint;
const stateKey = defineSearchAttributeKey('HoldfastState', 'KEYWORD');
const endpointKey = defineSearchAttributeKey('HoldfastEndpoint', 'KEYWORD');

export interface PermitQuestion {
  readonly endpointId: string;
  readonly request: PermitRequest;
  /** Only looked up where the entity has to be started. */
  readonly settings: () => Promise<EndpointSettings>;
}

/** Speaks to endpoints' entities for activities. Every method is one request, and throws the client's error as it is. */
export interface EndpointMessenger {
  acquire(ask: PermitQuestion): Promise<PermitAnswer>;
  release(endpointId: string, release: ReleasePermit): Promise<void>;
  callFailed(endpointId: string, report: CallReport): Promise<void>;
  callSucceeded(endpointId: string, report: CallReport): Promise<void>;
  gate(endpointId: string, requestId: string): Promise<GateAnswer>;
  /** Starts the entity if there is none, and gives it these settings. */
  configure(settings: EndpointSettings): Promise<void>;
}

export function createEndpointMessenger(client: Client, taskQueue: string): EndpointMessenger {
  const handleOf = (endpointId: string): ReturnType<Client['workflow']['getHandle']> =>
    client.workflow.getHandle(endpointWorkflowId(endpointId));

  const configure = async (settings: EndpointSettings): Promise<void> => {
    // A signal with start: one request, and no gap in which the entity could end unseen.
    await client.workflow.signalWithStart(workflowTypes.endpointBreaker, {
      workflowId: endpointWorkflowId(settings.endpointId),
      taskQueue,
      args: [{ settings }],
      signal: names.signals.configure,
      signalArgs: [settings],
      staticSummary: `endpoint ${settings.endpointId}`,
      typedSearchAttributes: [
        { key: stateKey, value: 'closed' },
        { key: endpointKey, value: settings.endpointId },
      ],
    });
  };

  // The entity itself knows a request again. As the update's id it would have the server answer for an entity that has ended.
  const ask = ({ endpointId, request }: PermitQuestion): Promise<PermitAnswer> =>
    handleOf(endpointId).executeUpdate<PermitAnswer, [PermitRequest]>(names.updates.acquirePermit, { args: [request] });

  return {
    configure,
    acquire: async (question) => {
      try {
        return await ask(question);
      } catch (error) {
        // Terminated, or never started: begin it anew. The request is the same, so nothing is asked twice.
        if (!(error instanceof WorkflowNotFoundError)) throw error;
        await configure(await question.settings());
        return ask(question);
      }
    },
    release: (endpointId, release) => handleOf(endpointId).signal(names.signals.releasePermit, release),
    callFailed: (endpointId, report) => handleOf(endpointId).signal(names.signals.callFailed, report),
    callSucceeded: (endpointId, report) => handleOf(endpointId).signal(names.signals.callSucceeded, report),
    gate: (endpointId, requestId) => handleOf(endpointId).query<GateAnswer, [string]>(names.queries.gate, requestId),
  };
}

/** A message to an entity that is gone has nobody to tell anything: not a fault of the sender. */
export async function ifThere(sent: Promise<void>): Promise<void> {
  try {
    await sent;
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
