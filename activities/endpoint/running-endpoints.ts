import type { Client } from '@temporalio/client';
import { endpointWorkflowId, workflowTypes } from '../../src/messages.js';

/** Ids of the endpoints whose entity runs, in order. */
export async function runningEndpoints(client: Client): Promise<string[]> {
  const query = `WorkflowType = '${workflowTypes.endpointBreaker}' AND ExecutionStatus = 'Running'`;
  const prefix = endpointWorkflowId('');
  const ids: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query })) {
    if (workflowId.startsWith(prefix)) ids.push(workflowId.slice(prefix.length));
  }
  return ids.sort();
}
