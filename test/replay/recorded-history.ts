import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

export const historiesDir = path.join(__dirname, 'histories');

/** One workflow's history as it was recorded: Temporal's message as plain data. */
export interface RecordedHistory {
  readonly workflowId: string;
  readonly history: { readonly events: readonly Record<string, unknown>[] };
}

/** Names of the recorded histories, which say what happened in each. */
export function recordedNames(): string[] {
  return readdirSync(historiesDir)
    .filter((file) => file.endsWith('.json'))
    .map((file) => path.basename(file, '.json'))
    .sort();
}

export function readRecorded(name: string): RecordedHistory {
  return JSON.parse(readFileSync(path.join(historiesDir, `${name}.json`), 'utf8')) as RecordedHistory;
}
