import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { batchWorkflowId, endpointWorkflowId } from '../../../src/messages.js';
import { DrillSite, until } from '../../drills/drill-site.js';
import { historiesDir } from '../recorded-history.js';

/**
 * Records the histories that `replay.test.ts` replays: `node -r ./bin/register.js test/replay/record/main.ts`. To be
 * run again only when a workflow's change is meant to break open runs; otherwise the change needs `patched()`.
 */
async function main(): Promise<void> {
  await mkdir(historiesDir, { recursive: true });
  const site = await DrillSite.start({ episodes: 2 });
  try {
    await recordHealthy(site);
    await recordOutage(site);
  } finally {
    await site.stop();
  }
}

async function recordHealthy(site: DrillSite): Promise<void> {
  await site.startBatch('healthy', { limit: 1 });
  const { report } = await site.outcome('healthy');
  await write('batch-healthy', handle(site, batchWorkflowId('healthy')));
  await write('episode-healthy', site.episode('healthy', report.episodes[0]?.episodeId ?? ''));
}

/** Trip, hold, fuse, halt, resume, recovery: one outage shows a batch, an episode and an endpoint everything. */
async function recordOutage(site: DrillSite): Promise<void> {
  const speaches = site.endpoint('dgx-speaches');
  await speaches.down('status:503');
  await site.startBatch('outage', {
    overrides: { resilience_retries_before_trip: 1, resilience_on_open_max_wait_sec: 3 },
  });
  await until('a halt', async () => (await site.batchStatus('outage')).state === 'halted');
  await speaches.up();
  await site.signalBatch('outage', 'resume');
  const { report } = await site.outcome('outage');
  await write('batch-halted-and-resumed', handle(site, batchWorkflowId('outage')));
  await write('episode-held', site.episode('outage', report.episodes[0]?.episodeId ?? ''));
  await write('endpoint-tripped-and-recovered', handle(site, endpointWorkflowId('dgx-speaches')));
}

function handle(site: DrillSite, workflowId: string): WorkflowHandle {
  return site.client.workflow.getHandle(workflowId);
}

/** One event a line; who ran it is left out. */
async function write(name: string, workflow: WorkflowHandle): Promise<void> {
  const { History } = temporal.api.history.v1;
  const recorded = History.fromObject(await workflow.fetchHistory());
  const { events } = History.toObject(recorded, { longs: String, enums: String, bytes: String }) as {
    events: unknown[];
  };
  const lines = events.map((event) => JSON.stringify(event, withoutIdentity));
  const { workflowId } = workflow;
  const text = `{"workflowId":${JSON.stringify(workflowId)},"history":{"events":[\n${lines.join(',\n')}\n]}}\n`;
  await writeFile(path.join(historiesDir, `${name}.json`), text);
  console.error(`${name}: ${events.length} events, ${text.length} bytes`);
}

function withoutIdentity(key: string, value: unknown): unknown {
  return key === 'identity' ? 'recorder' : value;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
