import fc from 'fast-check';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minItems?: number;
}

/** Texts in which everything stands that JSON, fences, lists and think blocks are made of. */
export const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', '```', '<think>', '- a\n', '1. b\n'),
      fc.string(),
    ),
  )
  .map((parts) => `x${parts.join('')}`);

/** Any answer that satisfies a JSON Schema of ours. */
export function answersOf(schema: Schema, texts: fc.Arbitrary<string> = anyText): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.type === 'object') {
    return fc.record(
      Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, one]) => [key, answersOf(one, texts)])),
    );
  }
  if (schema.type === 'array') {
    return fc.array(answersOf(schema.items ?? {}, texts), {
      minLength: Math.max(1, schema.minItems ?? 0),
      maxLength: 3,
    });
  }
  if (schema.type === 'integer') return fc.nat(1000);
  return schema.type === 'boolean' ? fc.boolean() : texts;
}
