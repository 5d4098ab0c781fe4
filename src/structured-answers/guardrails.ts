import { fewestTokens } from '../tokens.js';
import { stripWrapping } from './extract-json.js';
import { InvalidAnswerError } from './invalid-answer.js';

/** What the guardrails look at of an answer. */
export interface AnswerToCheck {
  readonly text: string;
  readonly finishReason: 'stop' | 'length' | 'content-filter' | 'other';
  /** The prompt's tokens as the server counted them; undefined or 0: not reported. */
  readonly inputTokens?: number;
}

export interface GuardrailOptions {
  readonly service: string;
  /** The prompt as it was sent, system and user together. */
  readonly sent: string;
  /** Prompt and answer together, as the server was told or says; default: not checked. */
  readonly contextTokens?: number;
  /** True for the one call whose truncated answer is salvaged (`insights`). Default false. */
  readonly lengthAllowed?: boolean;
}

const proseMarkers = ['<think>', '<think ', 'Okay, so I need to', 'Let me think'];
const proseWindowChars = 200;
const whitespaceStorm = /\s{1000}/;
/** Below this, a chat template's own tokens blur the count. */
const minCheckedChars = 600;

/**
 * The guardrails that need no schema, in order: finish reason, prompt cut by the server, empty, white space storm,
 * thinking out loud. Throws `InvalidAnswerError`. Closed think blocks and fences in front are no fault; they are stripped.
 */
export function checkAnswer(answer: AnswerToCheck, options: GuardrailOptions): void {
  const { service, lengthAllowed = false } = options;
  if (answer.finishReason === 'length' && !lengthAllowed) throw new InvalidAnswerError(service, 'finish_reason_length');
  if (answer.finishReason === 'content-filter') throw new InvalidAnswerError(service, 'finish_reason_content_filter');
  checkPromptWasRead(answer, options);
  const body = stripWrapping(answer.text);
  if (body === '') throw new InvalidAnswerError(service, 'empty_content');
  // Of a list that was cut its complete lines count, whatever filled the rest.
  if (whitespaceStorm.test(answer.text) && !lengthAllowed) throw new InvalidAnswerError(service, 'whitespace_storm');
  const start = body.slice(0, proseWindowChars);
  // A marker inside of JSON is somebody's quote.
  if (!/^[{[]/.test(body) && proseMarkers.some((marker) => start.includes(marker))) {
    throw new InvalidAnswerError(service, 'thinking_prose_detected');
  }
}

/**
 * A prompt that the server cut in silence: it read fewer tokens than the text can have, or as many as its context
 * holds at all, which is what is left of a prompt that was too long.
 */
function checkPromptWasRead({ inputTokens = 0 }: AnswerToCheck, options: GuardrailOptions): void {
  const { service, sent, contextTokens = Number.POSITIVE_INFINITY } = options;
  const isCounted = inputTokens > 0 && sent.length >= minCheckedChars;
  if (!isCounted || (inputTokens >= fewestTokens(sent) && inputTokens < contextTokens)) return;
  throw new InvalidAnswerError(
    service,
    'prompt_truncated',
    `${sent.length} characters sent, ${inputTokens} tokens read`,
  );
}
