import { z } from 'zod';
import { suggestion } from './nearest-name.js';

type Issue = z.core.$ZodIssue;
type Schema = z.core.$ZodType;

/** What was parsed, and by which schema: a fault tells of both. */
interface Parsed {
  readonly schema: Schema;
  readonly input: unknown;
}

/**
 * Every fault of an input, each in one text: the field, what was got, what is allowed; of an unknown field its nearest
 * known name. A text that has the wrong form is not repeated: it may be a key, or an address with one in it.
 */
export function inputFaults({ issues }: Pick<z.ZodError, 'issues'>, parsed: Parsed): string[] {
  return issues.flatMap((issue) => textsOf(issue, parsed));
}

function textsOf(issue: Issue, parsed: Parsed): string[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    const known = fieldsOf(schemasAt(parsed.schema, path));
    return issue.keys.map((key) => `unknown field "${[...path, key].map(String).join('.')}"${suggestion(key, known)}`);
  }
  const meant = issue.code === 'invalid_union' ? meantBranch(issue) : undefined;
  if (meant !== undefined) {
    return meant.flatMap((inner) => textsOf({ ...inner, path: [...path, ...inner.path] }, parsed));
  }
  const field = path.length > 0 ? path.map(String).join('.') : 'input';
  return [`${field}: ${got(issue, valueAt(parsed.input, path))}allowed: ${allowed(issue, parsed)}`];
}

/** Of the shapes that an input may have, the one that it comes nearest to; undefined where several are as near. */
function meantBranch({ errors }: z.core.$ZodIssueInvalidUnion): Issue[] | undefined {
  const fewest = Math.min(...errors.map((branch) => branch.length));
  const nearest = errors.filter((branch) => branch.length === fewest);
  return nearest.length === 1 ? nearest[0] : undefined;
}

function got(issue: Issue, value: unknown): string {
  const isForm = issue.code === 'invalid_format' || issue.code === 'custom';
  return isForm && typeof value === 'string' ? '' : `got ${shown(value)}, `;
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return `{${Object.keys(value).join(', ')}}`;
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function allowed(issue: Issue, { schema, input }: Parsed): string {
  const schemas = schemasAt(schema, issue.path);
  const described = schemas.map((one) => z.globalRegistry.get(one)?.description).find((text) => text !== undefined);
  if (described !== undefined) return described;
  if (issue.code === 'invalid_format' || issue.code === 'custom') return issue.message;
  if (issue.code === 'invalid_value') {
    const names = issue.values.map(String);
    const value = valueAt(input, issue.path);
    return `${names.join(' or ')}${typeof value === 'string' ? suggestion(value, names) : ''}`;
  }
  const isMapping = typeof valueAt(input, issue.path) === 'object';
  const fields = issue.code === 'invalid_union' && isMapping ? fieldsOf(schemas) : [];
  if (fields.length > 0) return `exactly one of the fields ${fields.join(', ')}`;
  return [...new Set(schemas.map(kindOf))].join(' or ');
}

/** What a schema takes, in words. */
function kindOf(schema: Schema): string {
  if (schema instanceof z.ZodNumber) return numberKind(schema);
  if (schema instanceof z.ZodString) return schema.safeParse('').success ? 'a text' : 'a text that is not empty';
  if (schema instanceof z.ZodBoolean) return 'true or false';
  if (schema instanceof z.ZodArray) return schema.safeParse([]).success ? 'a list' : 'a list that is not empty';
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral) {
    return [...(schema instanceof z.ZodEnum ? schema.options : schema.values)].map(String).join(' or ');
  }
  return 'a mapping of fields to values';
}

function numberKind(schema: z.ZodNumber): string {
  const { minValue, maxValue } = schema;
  const isBound = (bound: number | null): bound is number =>
    bound !== null && Number.isFinite(bound) && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  const isWithin = (bound: number): boolean => schema.safeParse(bound).success;
  return [
    schema.format === 'safeint' ? 'a whole number' : 'a number',
    ...(isBound(minValue) ? [`${isWithin(minValue) ? 'from' : 'above'} ${minValue}`] : []),
    ...(isBound(maxValue) ? [`${isWithin(maxValue) ? 'to' : 'below'} ${maxValue}`] : []),
  ].join(' ');
}

/** The schemas that a place in the input may have, wrappers and unions taken apart. */
function schemasAt(schema: Schema, path: readonly PropertyKey[]): Schema[] {
  return path.reduce<Schema[]>(
    (schemas, key) => schemas.flatMap((one) => alternatives(inner(one, key))),
    [...alternatives(schema)],
  );
}

function alternatives(schema: Schema | undefined): Schema[] {
  if (schema === undefined) return [];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return alternatives(schema.unwrap());
  }
  if (schema instanceof z.ZodPipe) return alternatives(schema.in);
  return schema instanceof z.ZodUnion ? schema.options.flatMap(alternatives) : [schema];
}

function inner(schema: Schema, key: PropertyKey): Schema | undefined {
  if (schema instanceof z.ZodObject) return (schema.shape as Readonly<Record<PropertyKey, Schema>>)[key];
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodArray ? schema.element : undefined;
}

function fieldsOf(schemas: readonly Schema[]): string[] {
  return schemas.flatMap((schema) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []));
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    input,
  );
}
