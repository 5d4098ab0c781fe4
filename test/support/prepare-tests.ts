import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import { setupContext } from '../../setup/context.js';
import { resolveTemporalCli, resolveTestServer, temporalExecutableOption } from '../../setup/temporal.js';
import { PartNotFoundError } from '../../setup/resolve-tool.js';
import { resolveBrowser, type Chromium } from './browser.js';
import { preparedFile, repositoryRoot, workflowBundleFile, type Prepared } from './prepared.js';

/** Once before all test files: finds the Temporal programs and bundles the workflows, so that no file does it again. */
export async function prepareTests(): Promise<void> {
  const context = setupContext();
  const cli = await resolveTemporalCli(context);
  const testServer = await resolveTestServer(context);
  const browser = await browserIfAny();
  const prepared: Prepared = {
    cli: temporalExecutableOption(cli),
    testServer: temporalExecutableOption(testServer),
    ...(browser === undefined ? {} : { browser }),
  };
  await writeAtomically(preparedFile, JSON.stringify(prepared));
  if (isBundleCurrent()) return;
  const { code } = await bundleWorkflowCode({
    workflowsPath: path.join(repositoryRoot, 'workflows', 'index.ts'),
    logger: quietLogger(),
  });
  await writeAtomically(workflowBundleFile, code);
}

/** Tests that need one say that they were skipped. */
async function browserIfAny(): Promise<Chromium | undefined> {
  try {
    return await resolveBrowser();
  } catch (error) {
    if (!(error instanceof PartNotFoundError)) throw error;
    console.error(error.message);
    return undefined;
  }
}

function quietLogger(): NonNullable<Parameters<typeof bundleWorkflowCode>[0]['logger']> {
  const silent = (): void => undefined;
  const loud = (message: string, meta?: unknown): void => console.error(message, meta ?? '');
  return { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: loud };
}

function isBundleCurrent(): boolean {
  if (!existsSync(workflowBundleFile)) return false;
  const bundledAtMs = statSync(workflowBundleFile).mtimeMs;
  return ['workflows', 'src'].every((folder) => newestMs(path.join(repositoryRoot, folder)) < bundledAtMs);
}

function newestMs(directory: string): number {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return Math.max(...entries.map((entry) => statSync(path.join(entry.parentPath, entry.name)).mtimeMs));
}

async function writeAtomically(file: string, content: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, content);
  await rename(temporary, file);
}
