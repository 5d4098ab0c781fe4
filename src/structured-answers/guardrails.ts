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
  /** Characters of the prompt as it was sent, system and user together. */
  readonly sentChars: number;
  /** True for the one call whose truncated answer is salvaged (`insights`). Default false. */
  readonly lengthAllowed?: boolean;
}

const proseMarkers = ['<think>', '<think ', 'Okay, so I need to', 'Let me think'];
const proseWindowChars = 200;
const whitespaceStorm = /\s{1000}/;
/** No tokeniser gets this many characters of prose into a token (English has 4 to 5): fewer tokens mean a cut prompt. */
const maxCharsPerToken = 6;
/** Below this, a chat template's own tokens blur the count. */
const minCheckedChars = 600;

/**
 * The guardrails that need no schema, in order: finish reason, prompt cut by the server, empty, white space storm,
 * thinking out loud. Throws `InvalidAnswerError`. Closed think blocks and fences in front are no fault; they are stripped.
 */
export function checkAnswer(answer: AnswerToCheck, options: GuardrailOptions): void {
  const { service, sentChars, lengthAllowed = false } = options;
  const { inputTokens = 0 } = answer;
  if (answer.finishReason === 'length' && !lengthAllowed) throw new InvalidAnswerError(service, 'finish_reason_length');
  if (answer.finishReason === 'content-filter') throw new InvalidAnswerError(service, 'finish_reason_content_filter');
  if (inputTokens > 0 && sentChars >= minCheckedChars && inputTokens * maxCharsPerToken < sentChars) {
    throw new InvalidAnswerError(
      service,
      'prompt_truncated',
      `${sentChars} characters sent, ${inputTokens} tokens read`,
    );
  }
  const body = stripWrapping(answer.text);
  if (body === '') throw new InvalidAnswerError(service, 'empty_content');
  if (whitespaceStorm.test(answer.text)) throw new InvalidAnswerError(service, 'whitespace_storm');
  const start = body.slice(0, proseWindowChars);
  // A marker inside of JSON is somebody's quote.
  if (!/^[{[]/.test(body) && proseMarkers.some((marker) => start.includes(marker))) {
    throw new InvalidAnswerError(service, 'thinking_prose_detected');
  }
}
