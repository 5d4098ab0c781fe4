import { Context } from '@temporalio/activity';
import { isGrpcServiceError, type Client } from '@temporalio/client';
import { messageNames, permitInHandSchema, workflowTypes, type PermitRequest } from '../../src/messages.js';

const runningEpisodes = `WorkflowType = '${workflowTypes.processEpisode}' AND ExecutionStatus = 'Running'`;
const unimplemented = 12;

/**
 * Permits of an endpoint that running episodes have in hand, as each of them says. One that does not answer is passed
 * over: its next attempt asks for its permit, and finds it lost. The time-skipping test server cannot list: nobody there.
 */
export async function findHolders(client: Client, endpointId: string): Promise<readonly PermitRequest[]> {
  const requests: PermitRequest[] = [];
  try {
    for await (const { workflowId } of client.workflow.list({ query: runningEpisodes })) {
      Context.current().heartbeat();
      const request = await permitOf(client, workflowId, endpointId);
      if (request !== undefined) requests.push(request);
    }
  } catch (error) {
    if (!isGrpcServiceError(error) || Number(error.code) !== unimplemented) throw error;
  }
  return requests;
}

async function permitOf(client: Client, workflowId: string, endpointId: string): Promise<PermitRequest | undefined> {
  try {
    const answer = await client.workflow.getHandle(workflowId).query<unknown, []>(messageNames.episode.queries.permit);
    const inHand = permitInHandSchema.parse(answer);
    return inHand?.endpointId === endpointId ? inHand.request : undefined;
  } catch {
    return undefined;
  }
}
