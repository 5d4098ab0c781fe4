import { z } from 'zod';
import { extractJson } from './extract-json.js';
import { InvalidAnswerError } from './invalid-answer.js';

/** One kind of structured answer: its name, what it must be, and the same as JSON Schema for constrained decoding. */
export interface AnswerShape<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
  /** Plain draft-07: objects, arrays, strings, numbers, enums, every property required. Its `title` is the name. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
}

/** `schema` holds nothing but plain types, because grammars for decoding know no more. */
export function answerShape<T>(name: string, schema: z.ZodType<T>): AnswerShape<T> {
  const { $schema: _dialect, ...plain } = z.toJSONSchema(schema, { target: 'draft-7', io: 'output' });
  return { name, schema, jsonSchema: { title: name, ...plain } };
}

/** Reads an answer of the given shape; extra fields are dropped. Throws `InvalidAnswerError`. */
export function parseAnswer<T>(shape: AnswerShape<T>, text: string): T {
  return checkShape(shape, extractJson(shape.name, text));
}

/** Checks a value against the shape. Throws `InvalidAnswerError` that names the first wrong field. */
export function checkShape<T>(shape: AnswerShape<T>, value: unknown): T {
  const parsed = shape.schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path.map(String).join('.') ?? '';
  throw new InvalidAnswerError(shape.name, 'schema_mismatch', path === '' ? undefined : `at ${path}`);
}
