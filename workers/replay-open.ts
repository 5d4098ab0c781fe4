import type { Client } from '@temporalio/client';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { workflowTypes } from '../src/messages.js';
import { workflowsPath } from './workflows-path.js';

/** An open workflow, and why this release's code cannot go on with it; undefined: it can. */
export interface Replayed {
  readonly workflowId: string;
  readonly fault: string | undefined;
}

/**
 * Runs this release's workflow code over the history of every open workflow of ours, as a worker would that takes it
 * over; nothing is sent to the server but questions.
 */
export async function* replayOpenWorkflows(client: Client): AsyncGenerator<Replayed> {
  // What it says of a misfit is in its result.
  Runtime.install({
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
  });
  const types = Object.values(workflowTypes).map((type) => `"${type}"`);
  const query = `ExecutionStatus = "Running" AND WorkflowType IN (${types.join(', ')})`;
  const histories = client.workflow.list({ query }).intoHistories();
  const options = { workflowsPath: workflowsPath(), replayName: 'holdfast' };
  for await (const { workflowId, error } of Worker.runReplayHistories(options, histories)) {
    yield { workflowId, fault: error?.message };
  }
}
