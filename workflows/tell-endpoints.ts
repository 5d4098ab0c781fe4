import { getExternalWorkflowHandle } from '@temporalio/workflow';
import { endpointWorkflowId } from '../src/messages.js';
import type { resumeBatchSignal } from './message-definitions.js';

/** Sends each endpoint's entity a signal about a workflow. One without an entity has nobody waiting. */
export async function tellEndpoints(
  endpointIds: readonly string[],
  signal: typeof resumeBatchSignal,
  workflowId: string,
): Promise<void> {
  const sent = endpointIds.map((endpointId) =>
    getExternalWorkflowHandle(endpointWorkflowId(endpointId))
      .signal(signal, { workflowId })
      .catch(() => undefined),
  );
  await Promise.all(sent);
}
