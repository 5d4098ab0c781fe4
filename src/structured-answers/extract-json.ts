import { InvalidAnswerError } from './invalid-answer.js';

/**
 * The JSON object or array that an answer consists of. Think blocks in front and code fences around it are taken off;
 * the rest must be strict JSON, whole: nothing is completed, repaired or searched for inside of prose, because a
 * truncated answer that is "repaired" is a valid-looking wrong one (ADR-148). Throws `InvalidAnswerError` and nothing else.
 */
export function extractJson(service: string, text: string): unknown {
  const body = stripWrapping(text);
  if (body === '') throw new InvalidAnswerError(service, 'empty_content');
  const value = parseStrictly(body);
  if (value === undefined) throw new InvalidAnswerError(service, 'json_parse_failed');
  if (isErrorBody(value)) throw new InvalidAnswerError(service, 'error_body');
  return value;
}

/** Answer without the think block in front of it and the code fence around it; white space trimmed. */
export function stripWrapping(text: string): string {
  return stripFence(stripThinkBlock(text));
}

/** The object or array that `text` wholly is; undefined when it is anything else. */
export function parseStrictly(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `{"error": ...}` with status 200: what some servers and gateways send in place of an answer. */
export function isErrorBody(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('error' in value)) return false;
  const others = Object.keys(value).filter(
    (key) => !['error', 'code', 'message', 'type', 'status', 'detail'].includes(key),
  );
  return others.length === 0 && value.error !== null;
}

function stripThinkBlock(text: string): string {
  const trimmed = text.trim();
  const blocks = /^(?:<think(?:ing)?\b[^>]*>[\s\S]*?<\/think(?:ing)?>\s*)+/i.exec(trimmed);
  if (blocks !== null) return trimmed.slice(blocks[0].length).trim();
  // Some chat templates put the opening tag into the prompt, so that only the closing one is in the answer. Whatever
  // starts as JSON or as a fence is the answer itself, and a tag in it somebody's words.
  const orphan = /^[^{[`<][\s\S]*?<\/think(?:ing)?>/i.exec(trimmed);
  return orphan === null ? trimmed : trimmed.slice(orphan[0].length).trim();
}

function stripFence(text: string): string {
  const opened = /^```[a-z]*[^\S\n]*\n?/i.exec(text);
  return opened === null
    ? text
    : text
        .slice(opened[0].length)
        .replace(/\n?```\s*$/, '')
        .trim();
}
