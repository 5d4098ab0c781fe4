import type { Client } from '@temporalio/client';
import type { BreakerView } from '../src/breaker/view.js';
import { endpointWorkflowId, messageNames } from '../src/messages.js';

const deadlineMs = 10_000;

/** What an endpoint's entity says of itself; undefined when there is none, or no worker answers for it. */
export async function endpointViewOf(client: Client, endpointId: string): Promise<BreakerView | undefined> {
  const handle = client.workflow.getHandle(endpointWorkflowId(endpointId));
  try {
    return await client.withDeadline(Date.now() + deadlineMs, () =>
      handle.query<BreakerView>(messageNames.endpoint.queries.state),
    );
  } catch {
    return undefined;
  }
}

/** One endpoint in lines for people. */
export function describeEndpoint(view: BreakerView): string[] {
  const { endpointId, circuit, since, reason, held, capacity, waiting, lastProbe, nextProbeAt, haltsAt, halted } = view;
  const cause = reason === undefined ? '' : ` (${reason})`;
  return [
    `${endpointId}: ${circuit} since ${since}${cause}; ${held.length} of ${capacity} in use, ${waiting.length} waiting`,
    ...(lastProbe === undefined
      ? []
      : [`  last probe ${lastProbe.at}: ${lastProbe.ok ? 'ok' : (lastProbe.reason ?? 'failed')}`]),
    ...(nextProbeAt === undefined ? [] : [`  next probe ${nextProbeAt}`]),
    ...Object.entries(haltsAt).map(([batch, at]) => `  ${batch} halts at ${at} unless it recovers`),
    ...halted.map((batch) => `  ${batch} is halted: resume or abort it`),
  ];
}
