import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { repositoryRoot } from './prepared.js';

/*
 * `npm test`: the whole suite under jest, then what was skipped and why, then one plain line with the counts. Arguments
 * go to jest: `npm test -- test/cli`.
 */

const resultsFile = path.join(repositoryRoot, '.cache', 'test', 'results.json');
const sharedData = path.join(repositoryRoot, '..', 'shared', 'data');

/** What we use of jest's `--json` output. */
const resultsSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  /** Files that could not even be loaded; none of their tests is counted as failed. */
  numRuntimeErrorTestSuites: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});
type Results = z.infer<typeof resultsSchema>;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Jest's exit code; its own report goes where ours goes. */
async function runJest(extra: readonly string[]): Promise<number> {
  await mkdir(path.dirname(resultsFile), { recursive: true });
  await rm(resultsFile, { force: true });
  const jest = require.resolve('jest/bin/jest');
  const child = spawn(process.execPath, [jest, '--json', '--outputFile', resultsFile, ...extra], {
    cwd: repositoryRoot,
    // Its JSON goes to the file and to standard output; people read standard error.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

function saySkipped({ testResults }: Results): void {
  const skipped = testResults.flatMap(({ name, assertionResults }) => {
    const names = assertionResults.filter(({ status }) => status === 'pending' || status === 'skipped');
    return names.map(({ fullName }) => `  ${path.relative(repositoryRoot, name)}: ${fullName}`);
  });
  if (skipped.length === 0) return;
  const why = existsSync(sharedData) ? 'Skipped:' : `Skipped, because ${sharedData} is not there:`;
  say([why, ...skipped].join('\n'));
}

async function main(): Promise<number> {
  say(`Holdfast: the test suite, on Node ${process.version}.`);
  if (!existsSync(sharedData)) say(`${sharedData} is not there: the tests that read it are skipped.`);
  const exitCode = await runJest(process.argv.slice(2));
  const parsed = resultsSchema.safeParse(JSON.parse(await readFile(resultsFile, 'utf8').catch(() => 'null')));
  if (!parsed.success) {
    say('Jest left no results.\n0 passed, 0 failed');
    return 1;
  }
  const { numPassedTests: passed, numPendingTests: skipped } = parsed.data;
  const failed = parsed.data.numFailedTests + parsed.data.numRuntimeErrorTestSuites;
  saySkipped(parsed.data);
  if (passed + failed === 0) say('No test ran.');
  say(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  return exitCode === 0 && failed === 0 && passed > 0 ? 0 : 1;
}

void main().then((exitCode) => {
  process.exitCode = exitCode;
});
