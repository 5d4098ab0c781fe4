import type { Connection } from '@temporalio/client';
import { searchAttributes } from '../src/messages.js';

/** `INDEXED_VALUE_TYPE_KEYWORD` of Temporal's API; the only type we use. */
const keyword = 2;

export type SearchAttributeConnection = Pick<Connection, 'operatorService'>;

/** Our search attributes that the namespace lacks, or has under another type: an episode could not even start. */
export async function missingSearchAttributes(
  connection: SearchAttributeConnection,
  namespace: string,
): Promise<string[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return Object.keys(searchAttributes).filter((name) => Number(customAttributes[name]) !== keyword);
}

/**
 * Registers what is missing, and answers with the names it added. Safe to repeat.
 *
 * @throws Error where the server refuses, e.g. an attribute of that name is there with another type
 */
export async function registerSearchAttributes(
  connection: SearchAttributeConnection,
  namespace: string,
): Promise<string[]> {
  const missing = await missingSearchAttributes(connection, namespace);
  if (missing.length === 0) return [];
  const added = Object.fromEntries(missing.map((name) => [name, keyword]));
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: added });
  return missing;
}
