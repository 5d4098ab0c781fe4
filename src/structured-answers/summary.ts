import { z } from 'zod';
import { entityKinds } from '../summary.js';
import { answerShape, checkShape } from './answer-shape.js';
import { isErrorBody, parseStrictly, stripWrapping } from './extract-json.js';
import { InvalidAnswerError } from './invalid-answer.js';

const stringsSchema = z.array(z.string());

export const summaryShape = answerShape(
  'summary',
  z.object({
    title: z.string(),
    bullets: stringsSchema.min(1),
    key_quotes: stringsSchema,
    entities: z.array(z.object({ name: z.string(), kind: z.enum(entityKinds) })),
    timestamps: z.array(z.object({ time: z.string(), label: z.string() })),
  }),
);
type SummaryAnswer = z.infer<typeof summaryShape.schema>;

/** A summary as it was read; `title` is empty when the answer has none. */
export interface SummaryReading extends SummaryAnswer {
  /** Why the reading is less than the contract asks for. */
  readonly degraded?: string;
}

/**
 * The tolerant reading of a summary: other names for the fields, single strings for lists, trailing commas, a missing
 * title, and a plain list of marked lines are taken (the last two as degraded). Its one hard rule: an answer that looks
 * like the JSON contract and does not parse is truncated, and is never read as prose. Throws `InvalidAnswerError`.
 */
export function parseSummary(text: string): SummaryReading {
  const body = stripWrapping(text);
  if (body === '') throw new InvalidAnswerError(summaryShape.name, 'empty_content');
  const value = parseStrictly(body) ?? parseStrictly(withoutTrailingCommas(body));
  if (value !== undefined) return readContract(value);
  const bullets = looksLikeContract(body) ? [] : markedLines(body);
  if (bullets.length < 2) throw new InvalidAnswerError(summaryShape.name, 'json_parse_failed');
  return {
    title: '',
    bullets,
    key_quotes: [],
    entities: [],
    timestamps: [],
    degraded: 'summary read from plain lines',
  };
}

/** Lines that are marked as items of a list, without their marks. */
export function markedLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => /^\s*(?:[-*•–]|\d{1,2}[.)])\s+(.+)$/.exec(line)?.[1]?.trim() ?? '')
    .filter((line) => line !== '');
}

function looksLikeContract(body: string): boolean {
  return /[{[]/.test(body.slice(0, 1)) || /\{|"?\b(?:bullets|key_points|takeaways)\b"?\s*:/.test(body);
}

function readContract(value: object): SummaryReading {
  if (isErrorBody(value)) throw new InvalidAnswerError(summaryShape.name, 'error_body');
  const fields = new Map<string, unknown>(Object.entries(value));
  const first = (...names: string[]): unknown =>
    names.map((name) => fields.get(name)).find((field) => field !== undefined && field !== null);
  const title = first('title');
  const reading = checkShape(summaryShape, {
    title: typeof title === 'string' ? title.trim() : '',
    bullets: texts(first('bullets', 'key_points', 'takeaways', 'summary', 'text')),
    key_quotes: texts(first('key_quotes', 'quotes')),
    entities: list(first('entities', 'named_entities'))
      .map(entity)
      .filter((one) => one !== undefined),
    timestamps: list(first('timestamps')).filter((one) => timestampSchema.safeParse(one).success),
  });
  return reading.title === '' ? { ...reading, degraded: 'summary without a title' } : reading;
}

const timestampSchema = z.object({ time: z.string(), label: z.string() });
const entitySchema = z.object({ name: z.string().trim().min(1), kind: z.enum(entityKinds).catch('other') });

function entity(value: unknown): z.infer<typeof entitySchema> | undefined {
  return entitySchema.safeParse(typeof value === 'string' ? { name: value } : value).data;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Non-blank strings; a single string is a list of one. Anything else in a list makes the answer invalid, unless it is blank. */
function texts(value: unknown): unknown[] {
  const items: readonly unknown[] = typeof value === 'string' ? [value] : list(value);
  return items.map((item) => (typeof item === 'string' ? item.trim() : item)).filter((item) => item !== '');
}

/** Commas in front of a closing bracket, outside of strings. This closes nothing that is open; a string that is open reaches to the end. */
function withoutTrailingCommas(text: string): string {
  return text.replace(/"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|,(?=\s*[}\]])/g, (match) => (match === ',' ? '' : match));
}
