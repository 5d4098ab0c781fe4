import { isCancellation } from '@temporalio/workflow';

/**
 * For what runs beside a workflow's main line, which is cancelled too and ends the workflow: a rejection that nobody hears
 * fails the workflow task instead, and with it every later one.
 */
export function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error;
}
