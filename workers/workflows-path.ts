import path from 'node:path';

/** The workflow code to bundle: the sources in a checkout, the compiled ones in a build. */
export function workflowsPath(): string {
  return path.join(__dirname, '..', 'workflows', `index${path.extname(__filename)}`);
}
