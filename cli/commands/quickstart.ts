import path from 'node:path';
import type { Command } from 'commander';
import { projectRoot } from '../../setup/context.js';
import { loadSite } from '../../workers/config.js';
import { batchOrderOf, type BatchOrder, type ReprocessOptions } from '../batch-input.js';
import type { BatchOutcome } from '../batch-outcome.js';
import { CommandError, exitCodes, interruptedExitCode } from '../command-error.js';
import { commandWord } from '../command-word.js';
import { withClient } from '../connect.js';
import { describeCorpus } from '../describe-corpus.js';
import { freePort } from '../embedded-server.js';
import { startLocalSite, type LocalSite } from '../local-site.js';
import { print, tell } from '../output.js';
import { printOutcome } from '../print-batch.js';
import { addReprocessOptions } from '../reprocess-options.js';
import { runBatch } from '../run-batch.js';
import { shellWord } from '../shell-word.js';
import { SignalWait } from '../until-signal.js';
import { openBatches } from '../recent-batches.js';
import { addSiteOptions, defaultDataDir, portsOf, type UpOptions } from './up.js';

type QuickstartOptions = Omit<UpOptions, 'config'> & ReprocessOptions;

export function addQuickstartCommand(program: Command): void {
  const command = program
    .command('quickstart')
    .description('set-up, up, reprocess, results, stop: all in one; without a source, the example feed');
  addSiteOptions(addReprocessOptions(command)).action(async (options: QuickstartOptions) => quickstart(options));
}

async function quickstart(options: QuickstartOptions): Promise<void> {
  const order = await batchOrderOf(withSource(options), { workingDir: process.cwd(), now: new Date() });
  const ports = portsOf(options);
  const signal = new SignalWait();
  const site = await startLocalSite({
    site: await loadSite(),
    dataDir: options.dataDir,
    port: await freePort(ports.port),
    uiPort: await freePort(ports.uiPort),
    modelsPort: await freePort(ports.modelsPort),
    onNotice: tell,
  });
  try {
    const outcome = await reprocess(site, order, { json: options.json, signal });
    printOutcome(outcome, options);
    if (options.json !== true) print(await describeRun(outcome, order, options));
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
  const run = withClient(site.site, async (connected) => {
    for (const open of await openBatches(connected.client)) {
      if (open !== batchId) tell(`Batch ${open} is open and goes on beside this one.`);
    }
    return runBatch(connected, order, { json, cancellation: following.signal });
  });
  const end = await Promise.race([run, signal.asked, site.failed]);
  if (typeof end === 'object') return end;
  following.abort();
  await run.catch(() => undefined);
  if (end === 'signal') tell('Stopping ...');
  const why = end === 'signal' ? 'Stopped.' : end;
  const next = `Batch ${batchId} goes on when you start again with --batch-id ${batchId}.`;
  // The site is stopped on the way out, before this is shown.
  throw new CommandError(`${why} ${next}`, end === 'signal' ? interruptedExitCode : exitCodes.failed);
}

function batchUrl({ uiUrl }: LocalSite, { batchId }: BatchOrder): string {
  return `${uiUrl}/namespaces/default/workflows/${encodeURIComponent(`reprocess-batch/${batchId}`)}`;
}

async function describeRun(
  { report }: BatchOutcome,
  { batchId }: BatchOrder,
  { dataDir }: QuickstartOptions,
): Promise<string> {
  const corpus = report.corpusDir === undefined ? [] : await describeCorpus(report.corpusDir, report);
  const place = dataDir === defaultDataDir ? '' : ` --data-dir ${shellWord(dataDir)}`;
  return [
    ...corpus,
    '',
    `All of it is stopped now. \`${commandWord()} up${place}\` starts it again, with the Web UI and this run in it.`,
    `Again with --batch-id ${batchId}: nothing is computed twice, no model is called.`,
  ].join('\n');
}
