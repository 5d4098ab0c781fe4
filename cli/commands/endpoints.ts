import { WorkflowNotFoundError } from '@temporalio/client';
import type { Command } from 'commander';
import { runningEndpoints } from '../../activities/endpoint/running-endpoints.js';
import type { BreakerView } from '../../src/breaker/view.js';
import { endpointWorkflowId, messageNames } from '../../src/messages.js';
import { usageError } from '../command-error.js';
import { commandWord } from '../command-word.js';
import { withClient } from '../connect.js';
import { describeEndpoint, endpointViewOf } from '../endpoint-view.js';
import { print, printJson } from '../output.js';

const { signals } = messageNames.endpoint;

const orders = {
  probe: { signal: signals.probeNow, description: 'send a probe now, without waiting for its time' },
  isolate: { signal: signals.isolate, description: 'let nothing through until `reset`' },
  reset: { signal: signals.reset, description: 'close the circuit, and forget its failures' },
} as const;

export function addEndpointsCommand(program: Command): void {
  const endpoints = program
    .command('endpoints')
    .description('every endpoint in use: its circuit, who holds its permits, who waits')
    .option('--json', 'print one JSON array')
    .action(list);
  for (const [name, { signal, description }] of Object.entries(orders)) {
    endpoints
      .command(name)
      .description(description)
      .argument('<endpointId>', 'the endpoint')
      .option('--reason <text>', 'shown as the cause')
      .action((endpointId: string, options: { reason?: string }) => give(signal, endpointId, options));
  }
}

async function list({ json }: { json?: boolean }): Promise<void> {
  await withClient({}, async ({ client }) => {
    const ids = await runningEndpoints(client);
    const views = await Promise.all(ids.map(async (id) => ({ id, view: await endpointViewOf(client, id) })));
    if (json === true) {
      printJson(views.map(({ id, view }): Partial<BreakerView> => view ?? { endpointId: id }));
      return;
    }
    if (views.length === 0) print('No endpoint is in use.');
    for (const { id, view } of views) {
      print(view === undefined ? `${id}: no worker answers for it` : describeEndpoint(view).join('\n'));
    }
  });
}

async function give(signal: string, endpointId: string, { reason }: { reason?: string }): Promise<void> {
  await withClient({}, async ({ client }) => {
    const before = signal === signals.probeNow ? await endpointViewOf(client, endpointId) : undefined;
    try {
      const note = { by: 'holdfast', ...(reason === undefined ? {} : { reason }) };
      await client.workflow.getHandle(endpointWorkflowId(endpointId)).signal(signal, note);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      const known = await runningEndpoints(client);
      throw usageError([`no endpoint "${endpointId}" is in use (in use: ${known.join(', ') || 'none'})`]);
    }
    const view = await endpointViewOf(client, endpointId);
    print(view === undefined ? `${endpointId}: told; no worker answers for it` : describeEndpoint(view).join('\n'));
    if (before !== undefined) print(`  ${probeSentence(before)}`);
  });
}

/** An endpoint probes an open circuit only; what it was before it was told decides. */
function probeSentence({ endpointId, circuit }: BreakerView): string {
  if (circuit === 'open') return 'told to probe now';
  if (circuit !== 'isolated') return `not probed: its circuit was ${circuit}, only an open one is probed`;
  return `not probed: it is isolated; \`${commandWord()} endpoints reset ${endpointId}\` ends that`;
}
