import { parseArgs } from 'node:util';
import { freePort } from '../../cli/embedded-server.js';
import { SignalWait } from '../../cli/until-signal.js';
import type { BatchRecord } from '../../src/batch.js';
import { batchWorkflowId } from '../../src/messages.js';
import { DrillSite } from './drill-site.js';
import { drillBatchId, type Drill } from './drill.js';
import { drills } from './scenarios/index.js';

/**
 * `npm run drill -- <hold|halt|failover|poison|zombie> [--json] [--keep]`: plays one fault on a real site. Exit 0: the
 * drill's promises held; 1: one did not; 2: no such drill. `--json` prints one object on standard output, and the rest
 * on standard error; `--keep` leaves the site up until Ctrl-C.
 */
async function main(): Promise<void> {
  const options = { json: { type: 'boolean' }, keep: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const drill = drills[positionals[0] ?? ''];
  if (drill === undefined || positionals.length > 1) {
    console.error(`usage: npm run drill -- <${Object.keys(drills).join('|')}> [--json] [--keep]`);
    process.exitCode = 2;
    return;
  }
  const say = values.json === true ? console.error : console.log;
  process.exitCode = await run(drill, { say, json: values.json === true, keep: values.keep === true });
}

interface RunOptions {
  readonly say: (line: string) => void;
  readonly json: boolean;
  readonly keep: boolean;
}

async function run(drill: Drill, { say, json, keep }: RunOptions): Promise<0 | 1> {
  const uiPort = await freePort(8233);
  say(drill.about);
  const site = await DrillSite.start({ ...drill.site, uiPort, onServer: (uiUrl) => say(whatToLookAt(uiUrl)) });
  try {
    const startedAtMs = Date.now();
    const timed = (line: string): void =>
      say(`${((Date.now() - startedAtMs) / 1000).toFixed(1).padStart(6)} s  ${line}`);
    const { counts, promises } = await drill.play(site, timed);
    for (const { title, reason } of await failedEpisodes(site)) say(`failed: ${title}: ${reason ?? ''}`);
    say(`\n${JSON.stringify(counts, null, 2)}`);
    for (const [promise, held] of Object.entries(promises)) say(`${held ? 'held  ' : 'BROKEN'}  ${promise}`);
    if (json) console.log(JSON.stringify(counts));
    if (keep) {
      say(`\nStill up at ${site.uiUrl}; Ctrl-C ends it.`);
      await new SignalWait().asked;
    }
    return Object.values(promises).every(Boolean) ? 0 : 1;
  } finally {
    await site.stop();
  }
}

async function failedEpisodes(site: DrillSite): Promise<BatchRecord['episodes']> {
  const { episodes } = await site.record(drillBatchId);
  return episodes.filter(({ state }) => state === 'failed');
}

function whatToLookAt(uiUrl: string): string {
  const workflows = `${uiUrl}/namespaces/default/workflows`;
  return [
    `Web UI     ${workflows}`,
    `the batch  ${workflows}/${encodeURIComponent(batchWorkflowId(drillBatchId))} (its current details say why it waits)`,
    `endpoints  workflows of type endpointBreaker: circuit, holder, queue, next probe; timers say what comes next`,
    '',
  ].join('\n');
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
