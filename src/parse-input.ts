import type { z } from 'zod';

export type ParseResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly faults: string };

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    input,
  );
}

/**
 * Parses what came from outside. Every fault is named in one text: the field, what is allowed, and the value got.
 * Throws nothing: a workflow must turn a fault into a failure of its own, or its task is retried for ever.
 */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): ParseResult<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return { ok: true, value: parsed.data };
  const faults = parsed.error.issues.map((issue) => {
    const field = issue.path.length > 0 ? issue.path.map(String).join('.') : 'input';
    return `${field}: ${issue.message}, got ${shown(valueAt(input, issue.path))}`;
  });
  return { ok: false, faults: faults.join('; ') };
}
