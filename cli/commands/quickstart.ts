import path from 'node:path';
import type { Command } from 'commander';
import { projectRoot } from '../../setup/context.js';
import { loadSite } from '../../workers/config.js';
import { batchOrderOf, type BatchOrder, type ReprocessOptions } from '../batch-input.js';
import type { BatchOutcome } from '../batch-outcome.js';
import { CommandError } from '../command-error.js';
import { withClient } from '../connect.js';
import { describeCorpus } from '../describe-corpus.js';
import { freePort } from '../embedded-server.js';
import { startLocalSite, type LocalSite } from '../local-site.js';
import { print, tell } from '../output.js';
import { printOutcome } from '../print-batch.js';
import { addReprocessOptions } from '../reprocess-options.js';
import { runBatch } from '../run-batch.js';
import { SignalWait } from '../until-signal.js';
import { addSiteOptions, portOf, type UpOptions } from './up.js';

type QuickstartOptions = Omit<UpOptions, 'config'> & ReprocessOptions;

export function addQuickstartCommand(program: Command): void {
  const command = program
    .command('quickstart')
    .description('set-up, up, reprocess, results, stop: all in one; without a source, the example feed');
  addSiteOptions(addReprocessOptions(command)).action(async (options: QuickstartOptions) => quickstart(options));
}

async function quickstart(options: QuickstartOptions): Promise<void> {
  const order = await batchOrderOf(withSource(options), { workingDir: process.cwd(), now: new Date() });
  const signal = new SignalWait();
  const site = await startLocalSite({
    site: await loadSite(),
    dataDir: options.dataDir,
    port: await freePort(portOf('--port', options.port)),
    uiPort: await freePort(portOf('--ui-port', options.uiPort)),
    modelsPort: await freePort(portOf('--models-port', options.modelsPort)),
    onNotice: tell,
  });
  try {
    const outcome = await reprocess(site, order, { json: options.json, signal });
    printOutcome(outcome, options);
    if (options.json !== true) print(await describeRun(outcome, site, order));
    process.exitCode = outcome.exitCode;
  } finally {
    await site.stop();
    signal.dispose();
  }
}

/** The project's own example where nothing else is asked for. */
function withSource(options: QuickstartOptions): ReprocessOptions {
  const { feed, audio, fromCorpus } = options;
  const isGiven = [feed, audio, fromCorpus].some((source) => source !== undefined);
  return isGiven ? options : { ...options, feed: path.join(projectRoot(), 'examples', 'feed.xml') };
}

/** Until the batch ends, or somebody asks to stop, or the server dies. */
async function reprocess(
  site: LocalSite,
  order: BatchOrder,
  { json, signal }: { readonly json: boolean | undefined; readonly signal: SignalWait },
): Promise<BatchOutcome> {
  const { batchId } = order;
  tell(`Batch ${batchId} starts; watch it in the Web UI: ${batchUrl(site, order)}`);
  const following = new AbortController();
  const run = withClient(site.site, (connected) =>
    runBatch(connected, order, { json, cancellation: following.signal }),
  );
  const end = await Promise.race([run, signal.asked, site.failed]);
  if (typeof end === 'object') return end;
  following.abort();
  await run.catch(() => undefined);
  const why = end === 'signal' ? 'Stopped.' : end;
  throw new CommandError(`${why} Batch ${batchId} goes on when you start again with --batch-id ${batchId}.`);
}

function batchUrl({ uiUrl }: LocalSite, { batchId }: BatchOrder): string {
  return `${uiUrl}/namespaces/default/workflows/${encodeURIComponent(`reprocess-batch/${batchId}`)}`;
}

async function describeRun({ report }: BatchOutcome, site: LocalSite, { batchId }: BatchOrder): Promise<string> {
  const corpus = report.corpusDir === undefined ? [] : await describeCorpus(report.corpusDir, report);
  return [
    ...corpus,
    '',
    `Web UI while it runs: ${site.uiUrl} (start it again with \`npx holdfast up\`)`,
    `Again with --batch-id ${batchId}: nothing is computed twice, no model is called.`,
  ].join('\n');
}
