import { asyncLocalStorage } from '@temporalio/activity';
import { DefaultLogger, type LogEntry } from '@temporalio/worker';

export type LogLevel = 'info' | 'warn' | 'error';

/** One line of the log, as JSON: for a collector, and for `holdfast up`, which shows the serious ones. */
export interface LogLine {
  readonly at: string;
  readonly level: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

function write(line: LogLine): void {
  process.stderr.write(`${JSON.stringify(line, plain)}\n`);
}

/** An error's name and message; its stack and whatever else it carries stay out of the log. */
function plain(_key: string, value: unknown): unknown {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  return typeof value === 'bigint' ? value.toString() : value;
}

/** Where in Temporal a line was written, by the names that the SDK's own lines have. */
function activityFields(): Record<string, unknown> {
  const info = asyncLocalStorage.getStore()?.info;
  if (info?.workflowExecution === undefined) return {};
  const { workflowId, runId: workflowRunId } = info.workflowExecution;
  const { workflowType, activityType, activityId, attempt } = info;
  return { workflowId, workflowRunId, workflowType, activityType, activityId, attempt };
}

/**
 * Writes one line to standard error. Fields are names, ids and codes, never content; what is said in an activity also
 * names it and its workflow.
 */
export function logLine(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
  write({ at: new Date().toISOString(), level, message, ...fields, ...activityFields() });
}

/** The SDK's log, from warnings upwards: a failed attempt is the policy's business, not news. */
export function createSdkLogger(): DefaultLogger {
  return new DefaultLogger('WARN', ({ level, message, meta, timestampNanos }: LogEntry) => {
    const at = new Date(Number(timestampNanos / 1_000_000n)).toISOString();
    const { taskToken, ...fields } = (meta ?? {}) as Readonly<Record<string, unknown>>;
    write({ at, level: level.toLowerCase(), message, ...fields });
  });
}
