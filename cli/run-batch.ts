import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { batchWorkflowId, workflowTypes } from '../src/messages.js';
import type { BatchOrder } from './batch-input.js';
import { createBatchDisplay, silentDisplay } from './batch-display.js';
import type { BatchOutcome } from './batch-outcome.js';
import type { Connected } from './connect.js';
import { followBatch } from './follow-batch.js';
import { tell } from './output.js';

const stateKey = defineSearchAttributeKey('HoldfastState', 'KEYWORD');
const batchKey = defineSearchAttributeKey('HoldfastBatch', 'KEYWORD');

/** Starts the batch's workflow. One of that id that is already running is left as it is, and said. */
export async function startBatch({ client, site }: Connected, { batchId, input }: BatchOrder): Promise<void> {
  try {
    await client.workflow.start(workflowTypes.reprocessBatch, {
      taskQueue: site.queues.main,
      workflowId: batchWorkflowId(batchId),
      args: [input],
      staticSummary: `reprocess ${batchId}`,
      typedSearchAttributes: [
        { key: stateKey, value: 'running' },
        { key: batchKey, value: batchId },
      ],
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    tell(`Batch ${batchId} is already running, with the input it was started with.`);
  }
}

export async function runBatch(
  connected: Connected,
  order: BatchOrder,
  { json, cancellation }: { readonly json?: boolean | undefined; readonly cancellation?: AbortSignal },
): Promise<BatchOutcome> {
  await startBatch(connected, order);
  const display = json === true ? silentDisplay : createBatchDisplay();
  return followBatch(connected.client, order.batchId, { display, cancellation });
}
