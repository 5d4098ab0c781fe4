import type { CallOptions } from './provider.js';

/** `Authorization: Bearer`, where there is a key. */
export function bearer({ apiKey }: Pick<CallOptions, 'apiKey'>): Record<string, string> {
  return apiKey === undefined || apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };
}
