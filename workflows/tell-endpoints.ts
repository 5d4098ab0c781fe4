import { getExternalWorkflowHandle } from '@temporalio/workflow';
import { endpointWorkflowId } from '../src/messages.js';
import type { resumeBatchSignal } from './message-definitions.js';

/** Sends each endpoint's entity a signal about a workflow. One without an entity has nobody waiting. */
export async function tellEndpoints(news: {
  readonly endpointIds: readonly string[];
  readonly signal: typeof resumeBatchSignal;
  readonly workflowId: string;
}): Promise<void> {
  const { endpointIds, signal, workflowId } = news;
  const sent = endpointIds.map((endpointId) =>
    getExternalWorkflowHandle(endpointWorkflowId(endpointId))
      .signal(signal, { workflowId })
      .catch(() => undefined),
  );
  await Promise.all(sent);
}
