type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A valid instance of a plain JSON Schema (objects, arrays, enums, numbers, strings, `$ref`, `anyOf`): what a model
 * under constrained decoding returns at the least. Strings come from `nextText`.
 */
export function instanceOf(schema: JsonSchema, nextText: () => string, root: JsonSchema = schema): unknown {
  const resolved = resolve(schema, root);
  const inner = (part: unknown): unknown => instanceOf(part as JsonSchema, nextText, root);
  if ('const' in resolved) return resolved['const'];
  if (Array.isArray(resolved['enum'])) return resolved['enum'][0];
  const choices = (resolved['anyOf'] ?? resolved['oneOf']) as JsonSchema[] | undefined;
  if (choices) return inner(choices.find((choice) => choice['type'] !== 'null') ?? {});
  switch (typeOf(resolved)) {
    case 'object': {
      const properties = (resolved['properties'] ?? {}) as Record<string, unknown>;
      return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, inner(value)]));
    }
    case 'array': {
      const least = Number(resolved['minItems'] ?? 0);
      const most = Number(resolved['maxItems'] ?? 3);
      return Array.from({ length: Math.max(least, Math.min(3, most)) }, () => inner(resolved['items'] ?? {}));
    }
    case 'integer':
    case 'number':
      return Number(resolved['minimum'] ?? Math.min(1, Number(resolved['maximum'] ?? 1)));
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return nextText().slice(0, Number(resolved['maxLength'] ?? Number.POSITIVE_INFINITY));
  }
}

function typeOf(schema: JsonSchema): unknown {
  const type = schema['type'];
  if (Array.isArray(type)) return type.find((name) => name !== 'null') as unknown;
  return type ?? ('properties' in schema ? 'object' : 'string');
}

function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return schema;
  let found: unknown = root;
  for (const part of reference.replace(/^#\/?/, '').split('/')) found = (found as Record<string, unknown>)[part];
  return found as JsonSchema;
}
