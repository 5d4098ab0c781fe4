import { WorkflowUpdateFailedError, type Client } from '@temporalio/client';
import type { Command } from 'commander';
import type { BatchProgress, BatchStatus } from '../../src/batch-status.js';
import { batchWorkflowId, messageNames } from '../../src/messages.js';
import { reportOfStatus, type BatchReport } from '../batch-outcome.js';
import { createBatchDisplay, silentDisplay } from '../batch-display.js';
import { CommandError, usageError } from '../command-error.js';
import { withClient } from '../connect.js';
import { describeEndpoint, endpointViewOf } from '../endpoint-view.js';
import { endOf, followBatch, isClosed, queryStatus } from '../follow-batch.js';
import { print, printJson } from '../output.js';
import { printOutcome } from '../print-batch.js';

interface JsonOption {
  readonly json?: boolean;
}

type Order = 'pause' | 'resume' | 'abort';

const orders: Readonly<Record<Order, string>> = {
  pause: 'start nothing new; episodes in work finish their stage and wait',
  resume: 'go on after a pause or a halt: probes the endpoint at once and keeps the model',
  abort: 'stop calls in flight and end the batch; what is finished stays',
};

/** `status`, `watch`, and the orders to a batch. */
export function addBatchCommands(program: Command): void {
  batchCommand(program, 'status', 'how a batch stands, and why it waits').action(status);
  batchCommand(program, 'watch', 'follow a batch until it ends or halts').action(watch);
  for (const [order, description] of Object.entries(orders)) {
    batchCommand(program, order, description)
      .option('--reason <text>', 'kept with the order')
      .action((batchId: string, options: JsonOption & { reason?: string }) => give(order as Order, batchId, options));
  }
}

function batchCommand(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .argument('<batchId>', 'the batch')
    .option('--json', 'print one JSON object');
}

async function status(batchId: string, options: JsonOption): Promise<void> {
  await withClient({}, async ({ client }) => {
    if (await isClosed(client, batchId)) {
      printOutcome(await endOf(client, batchId), options);
      return;
    }
    const answer = await queryStatus(client, batchId);
    if (answer === undefined) {
      throw new CommandError(
        `Batch ${batchId} is open, but no worker answers for it: start \`holdfast worker\` or \`up\`.`,
      );
    }
    if (options.json === true) printJson(reportOfStatus(answer));
    else print(await describe(client, answer));
  });
}

/** What the batch says, and of each endpoint it waits for what the endpoint itself says: only it knows its probes. */
async function describe(client: Client, answer: BatchStatus): Promise<string> {
  const { batchId, state, why, requested, done, failed, skipped, remaining, settingUp, corpusDir } = answer;
  const waited = new Set([...answer.endpoints, ...answer.halts].map(({ endpointId }) => endpointId));
  const views = await Promise.all([...waited].map((endpointId) => endpointViewOf(client, endpointId)));
  const counts = `${done} done, ${failed} failed, ${skipped} skipped, ${remaining} remaining of ${requested}`;
  const posture = [answer.profile, answer.failureStrategy].filter((known) => known !== undefined).join(', ');
  const inWork = `in work: ${answer.inWork.join(', ') || 'nothing'}`;
  return [
    `Batch ${batchId}: ${state}. ${why}`,
    ...(settingUp === undefined ? [`  ${counts}`, `  ${posture === '' ? '' : `profile ${posture}; `}${inWork}`] : []),
    ...describeOrder(answer),
    ...views.flatMap((view) => (view === undefined ? [] : describeEndpoint(view).map((line) => `  ${line}`))),
    ...answer.lastFailures.map(({ episodeId, reason }) => `  failed: ${episodeId}: ${reason}`),
    ...answer.notes.map((note) => `  note: ${note}`),
    ...answer.unknownMessages.map((message) => `  refused message: ${message}`),
    ...(corpusDir === undefined ? [] : [`  Corpus: ${corpusDir}`]),
  ].join('\n');
}

function describeOrder({ lastOrder }: BatchStatus): string[] {
  if (lastOrder === undefined) return [];
  const { order, atMs, by = 'an operator', reason } = lastOrder;
  const why = reason === undefined ? '' : `: ${reason}`;
  return [`  last order: ${order} by ${by} at ${new Date(atMs).toISOString()}${why}`];
}

async function watch(batchId: string, options: JsonOption): Promise<void> {
  await withClient({}, async ({ client }) => {
    const display = options.json === true ? silentDisplay : createBatchDisplay();
    const outcome = await followBatch(client, batchId, { display });
    printOutcome(outcome, options);
    process.exitCode = outcome.exitCode;
  });
}

async function give(order: Order, batchId: string, options: JsonOption & { reason?: string }): Promise<void> {
  const { json, reason } = options;
  await withClient({}, async ({ client }) => {
    if (await isClosed(client, batchId)) {
      const outcome = await endOf(client, batchId);
      // What was ordered is so.
      if (order === 'abort' && outcome.report.state === 'aborted') {
        printOutcome(outcome, options);
        return;
      }
      throw usageError([`batch "${batchId}" has ended; there is nothing to ${order}`]);
    }
    const handle = client.workflow.getHandle(batchWorkflowId(batchId));
    const note = { by: 'holdfast', ...(reason === undefined ? {} : { reason }) };
    try {
      const name = messageNames.batch.updates[order];
      const progress = await handle.executeUpdate<BatchProgress, [unknown]>(name, { args: [note] });
      if (json === true) printJson(progressReport(progress));
      else print(`Batch ${batchId}: ${progress.state}.`);
    } catch (error) {
      if (error instanceof WorkflowUpdateFailedError) {
        throw new CommandError(`Batch ${batchId} refuses to ${order}: ${error.cause?.message ?? error.message}`);
      }
      throw error;
    }
  });
}

function progressReport({
  batchId,
  state,
  requested,
  done,
  failed,
  skipped,
  remaining,
}: BatchProgress): Partial<BatchReport> {
  return { batchId, state, requested, done, failed, skipped, remaining };
}
