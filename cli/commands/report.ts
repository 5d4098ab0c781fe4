import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { safeName } from '../../src/safe-name.js';
import { writeFileAtomically } from '../../activities/store/atomic-file.js';
import { sha256Of } from '../../activities/store/digest.js';
import { usageError } from '../command-error.js';
import { withClient } from '../connect.js';
import { count, tell } from '../output.js';
import { fetchFacts } from '../report/fetch-facts.js';
import { reportModel } from '../report/model.js';
import { reportPage } from '../report/page.js';

interface ReportOptions {
  readonly output?: string;
  readonly corpusDir: string;
}

export function addReportCommand(program: Command): void {
  program
    .command('report')
    .description('one HTML page of a batch: outcome, timeline, endpoints, models, failures, what to do next')
    .argument('<batchId>', 'the batch; it may be running')
    .option(
      '-o, --output <file>',
      'where to write it (its directory must exist), "-" for standard output; default <batchId>-report.html',
    )
    .option('--corpus-dir <dir>', 'where to look for the record of a batch that the server has forgotten', 'corpus')
    .action(report);
}

async function report(batchId: string, { output, corpusDir }: ReportOptions): Promise<void> {
  const file = path.resolve(output ?? `${safeName(batchId, sha256Of)}-report.html`);
  if (output !== '-') await requireDirectory(path.dirname(file));
  await withClient({}, async ({ client }) => {
    const model = reportModel(await fetchFacts(client, batchId, { nowMs: Date.now(), corpusDir }));
    const page = await reportPage(model);
    if (output === '-') {
      process.stdout.write(page);
      return;
    }
    await write(file, page);
    const { requested, failed } = model.facts;
    tell(`${file}: batch ${batchId}, ${count(requested, 'episode')}, ${failed} failed. Open it in a browser.`);
  });
}

/** A directory that is misspelt is not made. @throws {CommandError} when there is none */
async function requireDirectory(directory: string): Promise<void> {
  const entry = await stat(directory).catch(() => undefined);
  if (entry === undefined) throw usageError([`--output: ${directory} does not exist`]);
  if (!entry.isDirectory()) throw usageError([`--output: ${directory} is not a directory`]);
}

/** A browser that reloads it never sees half a page. */
async function write(file: string, page: string): Promise<void> {
  try {
    await writeFileAtomically(file, page);
  } catch (error) {
    throw usageError([`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
