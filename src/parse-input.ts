import type { z } from 'zod';
import { inputFaults } from './input-faults.js';

export type ParseResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly faults: string };

/**
 * Parses what came from outside. Every fault is named in one text: the field, the value got, and what is allowed.
 * Throws nothing: a workflow must turn a fault into a failure of its own, or its task is retried for ever.
 */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): ParseResult<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, faults: inputFaults(parsed.error, { schema, input }).join('; ') };
}
