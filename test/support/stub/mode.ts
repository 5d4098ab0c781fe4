/**
 * One behaviour of a scripted service, written `name[:argument]`, e.g. `ok`, `slow:500ms`, `status:503,retry-after=2`.
 * A time without unit is milliseconds.
 */
export interface Mode {
  readonly name: string;
  /** What stands behind the colon, up to the first comma. */
  readonly argument: string | undefined;
  /** Further `key=value` pairs. */
  readonly options: Readonly<Record<string, string>>;
}

/** Every mode a script may name. An unknown one is refused when the script is set, not when it is reached. */
export const modeNames = [
  // time
  'ok',
  'slow',
  'coldload',
  'zombie',
  // sockets
  'hang',
  'hangbody',
  'drip',
  'short',
  'reset',
  'reset-upload',
  'reset-on-second',
  'slow-upload',
  'early-413',
  // status
  'status',
  'html500',
  'html200',
  'plain500',
  'plain503',
  'loading',
  '200err',
  '404model',
  '400context',
  '413',
  'quota-terminal',
  'rate-limit',
  'gemini-retrydelay',
  'gemini-daily-quota',
  'deepgram-modern',
  'oom-then-gone',
  'oom-if-inflight',
  // the body as such
  'truncated',
  'json-nan',
  'bad-schema',
  // what the body says
  'wrong-model',
  'empty',
  'null-content',
  'truncate+length',
  'bad-json',
  'think',
  'fence',
  'refusal',
  'whitespace',
  'low-prompt-tokens',
  'gemini-block',
  'gemini-safety',
  'gemini-no-candidates',
  'repeat-loop',
  'half-coverage',
  'zero-segments',
  'zero-speakers',
  'no-speech-422',
  'bad-turns',
  'bad-times',
  // streams
  'sse-stall',
  'sse-error',
  'sse-reset',
  // by kind of call
  'ok-for-probe-then-fail',
  'health-ok-infer-hang',
  // vLLM in sleep mode, for `health`: its health page is fine, `/is_sleeping` is true
  'asleep',
] as const;

const known: ReadonlySet<string> = new Set(modeNames);

/** Reads a mode's text. Throws on an unknown name, naming all. */
export function parseMode(text: string): Mode {
  const [head = '', ...rest] = text.split(',');
  const colon = head.indexOf(':');
  const aliased = (colon < 0 ? head : head.slice(0, colon)).replace(/>.*$/, '');
  if (!known.has(aliased)) throw new Error(`Unknown stub mode '${text}'; known: ${modeNames.join(', ')}`);
  const above = />(\d+)$/.exec(head)?.[1];
  return {
    name: aliased,
    argument: above ?? (colon < 0 ? undefined : head.slice(colon + 1)),
    options: Object.fromEntries(rest.map((pair) => splitOnce(pair, '='))),
  };
}

/** A time in milliseconds: `500`, `500ms`, `2s`, `2.5s`. */
export function parseMs(text: string | undefined, byDefault: number): number {
  if (text === undefined) return byDefault;
  const match = /^(\d+(?:\.\d+)?)(ms|s)?$/.exec(text);
  if (match?.[1] === undefined) throw new Error(`Not a time: '${text}' (500, 500ms, 2s)`);
  return Number(match[1]) * (match[2] === 's' ? 1000 : 1);
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
