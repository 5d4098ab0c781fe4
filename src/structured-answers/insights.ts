import { z } from 'zod';
import { normaliseSpace } from '../grounding.js';
import { insightTypes } from '../insights.js';
import { answerShape, checkShape } from './answer-shape.js';
import { isErrorBody, parseStrictly, stripWrapping } from './extract-json.js';
import { InvalidAnswerError } from './invalid-answer.js';
import { markedLines } from './summary.js';

const insightSchema = z.object({ text: z.string(), type: z.enum(insightTypes) });
export type InsightLine = z.infer<typeof insightSchema>;

export const insightsShape = answerShape('insights', z.object({ insights: z.array(insightSchema) }));

export interface InsightList {
  readonly lines: readonly InsightLine[];
  /** True when the list was cut and only its complete lines were taken. */
  readonly salvaged: boolean;
}

/**
 * Reads the list of insights: JSON, or marked or plain lines. Of a list that was cut (`truncated`: the finish reason
 * was `length`; or JSON that does not end) the complete lines are salvaged, and `salvaged` says so: the only call for
 * which this is done, because each line stands by itself (ADR-148). Throws `InvalidAnswerError` when nothing is left.
 */
export function parseInsights(text: string, truncated: boolean): InsightList {
  const body = stripWrapping(text);
  const isJson = /^[{[]/.test(body);
  const whole = isJson ? parseStrictly(body) : undefined;
  if (isErrorBody(whole)) throw new InvalidAnswerError(insightsShape.name, 'error_body');
  if (whole !== undefined) {
    const answer = checkShape(insightsShape, Array.isArray(whole) ? { insights: whole.map(asInsight) } : whole);
    return { lines: withText(answer.insights), salvaged: false };
  }
  const lines = withText(isJson ? completeElements(body) : plainLines(body, truncated));
  if (lines.length === 0) {
    throw new InvalidAnswerError(insightsShape.name, truncated ? 'finish_reason_length' : 'json_parse_failed');
  }
  return { lines, salvaged: isJson || truncated };
}

function withText(lines: readonly InsightLine[]): InsightLine[] {
  return lines.map((line) => ({ ...line, text: normaliseSpace(line.text) })).filter((line) => line.text !== '');
}

function asInsight(value: unknown): unknown {
  return typeof value === 'string' ? { text: value, type: 'unknown' } : value;
}

/** A single line without a mark is no list: that is how refusals look. The last line of a cut list is not complete. */
function plainLines(body: string, truncated: boolean): InsightLine[] {
  const complete = truncated ? body.slice(0, Math.max(0, body.lastIndexOf('\n'))) : body;
  const marked = markedLines(complete);
  const lines = complete.split('\n').filter((line) => line.trim() !== '');
  const found = marked.length > 0 ? marked : lines.length > 1 ? lines : [];
  return found.map((text) => ({ text, type: 'unknown' }));
}

/** The innermost objects that end before the text does: each is an element of the list. */
function completeElements(body: string): InsightLine[] {
  const elements: string[] = [];
  let start = -1;
  // Strings, in which brackets mean nothing; one that does not end reaches to the end of the text.
  for (const { 0: token, index } of body.matchAll(/"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|[{}]/g)) {
    if (token === '{') start = index;
    else if (token === '}') {
      if (start >= 0) elements.push(body.slice(start, index + 1));
      start = -1;
    }
  }
  return elements.flatMap((element) => {
    const parsed = insightSchema.safeParse(parseStrictly(element));
    return parsed.success ? [parsed.data] : [];
  });
}
