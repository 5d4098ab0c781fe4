import { Context } from '@temporalio/activity';
import { ServiceError, isGrpcServiceError, type Client } from '@temporalio/client';
import {
  messageNames,
  permitInHandSchema,
  workflowTypes,
  type PermitInHand,
  type PermitRequest,
} from '../../src/messages.js';

/** gRPC's status code. */
const unimplemented: number = 12;
const runningEpisodes = `WorkflowType = '${workflowTypes.processEpisode}' AND ExecutionStatus = 'Running'`;

/** What an endpoint begun anew has to know of those before it. */
interface Found {
  /** Of permits in hand. */
  readonly requests: PermitRequest[];
  /** Of those who still wait for theirs. */
  readonly waiting: PermitRequest[];
}

/**
 * Permits of an endpoint that running episodes have in hand or wait for, as each of them says. One that does not answer
 * is passed over: its next attempt asks for its permit, and finds it lost. The time-skipping test server cannot list:
 * nobody is there.
 */
export async function findHolders(client: Client, endpointId: string): Promise<Found> {
  const found: Found = { requests: [], waiting: [] };
  try {
    for await (const { workflowId } of client.workflow.list({ query: runningEpisodes })) {
      Context.current().heartbeat();
      const permit = await permitOf(client, workflowId);
      if (permit?.endpointId !== endpointId) continue;
      (permit.waits === true ? found.waiting : found.requests).push(permit.request);
    }
  } catch (error) {
    if (!isUnimplemented(error)) throw error;
  }
  return found;
}

function isUnimplemented(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  // The code's type is an enum of a package that is not ours to import.
  return isGrpcServiceError(cause) && (cause.code as number) === unimplemented;
}

async function permitOf(client: Client, workflowId: string): Promise<PermitInHand> {
  try {
    const answer = await client.workflow.getHandle(workflowId).query<unknown>(messageNames.episode.queries.permit);
    return permitInHandSchema.parse(answer);
  } catch {
    return null;
  }
}
