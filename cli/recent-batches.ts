import { Client, Connection } from '@temporalio/client';
import { batchIdOf, workflowTypes } from '../src/messages.js';
import { loadSite } from '../workers/config.js';

const shown = 50;
/** Somebody waits at the keyboard. */
const patience = { connectTimeout: '500ms', listMs: 1000 } as const;

/** Ids of the batches that were started last, newest first; none where no server answers at once. */
export async function recentBatches(): Promise<readonly string[]> {
  let connection: Connection | undefined;
  try {
    const { temporal } = await loadSite();
    connection = await Connection.connect({ ...temporal.connectionOptions, connectTimeout: patience.connectTimeout });
    const client = new Client({ connection, namespace: temporal.namespace });
    return await client.withDeadline(Date.now() + patience.listMs, () => idsOf(client));
  } catch {
    // The user is typing a command, not asking why there are no suggestions.
    return [];
  } finally {
    await connection?.close();
  }
}

/** Ids of the batches that have not ended, newest first; at most 50. */
export function openBatches(client: Client): Promise<readonly string[]> {
  return idsOf(client, " AND ExecutionStatus = 'Running'");
}

async function idsOf(client: Client, condition = ''): Promise<string[]> {
  const ids = new Set<string>();
  for await (const { workflowId } of client.workflow.list({
    query: `WorkflowType = '${workflowTypes.reprocessBatch}'${condition}`,
    pageSize: shown,
  })) {
    ids.add(batchIdOf(workflowId));
    if (ids.size === shown) break;
  }
  return [...ids];
}
