import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { TemporalExecutableOption } from '../../setup/temporal.js';
import type { Chromium } from './browser.js';

export const repositoryRoot = path.join(__dirname, '..', '..');
export const preparedFile = path.join(repositoryRoot, '.cache', 'test', 'prepared.json');
export const workflowBundleFile = path.join(repositoryRoot, '.cache', 'test', 'workflow-bundle.js');

/** What `prepareTests` found, for every test file. */
export interface Prepared {
  readonly cli: TemporalExecutableOption;
  readonly testServer: TemporalExecutableOption;
  /** Absent where no browser is to be had. */
  readonly browser?: Chromium;
}

export function prepared(): Prepared {
  return JSON.parse(readFileSync(preparedFile, 'utf8')) as Prepared;
}
