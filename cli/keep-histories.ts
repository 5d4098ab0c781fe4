import type { ConnectionLike } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';

/** A development server forgets closed workflows after a day; a report looks back over a weekend and more. */
const keptForMs = 30 * 86_400_000;

/** Lets a server of our own keep what has ended long enough to be reported. */
export async function keepHistories(connection: ConnectionLike, namespace: string): Promise<void> {
  const config = { workflowExecutionRetentionTtl: msToTs(keptForMs) };
  await connection.workflowService.updateNamespace({ namespace, config });
}
