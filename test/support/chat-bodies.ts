import { chatModel, type ChatWire } from './chat-engine.js';

/** What becomes of an answer: no use, the input declined, or the service out of order. */
export type AnswerKind = 'invalid' | 'declined' | 'outage';

/** One body with status 200 as a service of that shape sends it. */
export type BodyRow = readonly [name: string, kind: AnswerKind, body: unknown];

const storm = `{${'\n'.repeat(5000)}`;
const afterProse = 'Sure, here it is: {"title":"T","bullets":["a"],"insights":[],"ratings":[],"topics":[]}';
const unclosedThink = `<think>\n${'The user wants JSON. '.repeat(20)}{"title":"T"}`;
const refusalProse = 'I am sorry, but I cannot help with that.';

/** Bodies whose answer's text alone is at fault, and why the model says that it stopped. */
const texts: readonly [name: string, text: string | null, cut?: true][] = [
  ['an empty text', ''],
  ['an empty text, cut', '', true],
  ['null for a text', null],
  ['a storm of white space, cut', storm, true],
  ['a storm of white space', storm],
  ['prose in front of the JSON', afterProse],
  ['a think block that does not end', unclosedThink],
  ['a refusal in prose', refusalProse],
  ['an error for a text', '{"error":{"message":"overloaded","code":503}}'],
  ['bare NaN in the JSON', '{"title":"T","bullets":["a"],"score":NaN}'],
  ['two JSON objects', '{"title":"T","bullets":["a"]}\n{"title":"T","bullets":["a"]}'],
];

/** What is no answer of that shape, or of any. */
const envelopes: readonly BodyRow[] = [
  ['JSON null', 'invalid', 'null'],
  ['a list', 'invalid', '[]'],
  ['bare NaN in the envelope', 'invalid', `{"model":"${chatModel}","created":NaN}`],
  ['an envelope that is cut', 'outage', `{"model":"${chatModel}","choices":[{"mess`],
  ['an HTML page', 'outage', '<html><body>Bad gateway</body></html>'],
  ['nothing', 'outage', ''],
];

const openAi = (choice: object, more: object = {}) => ({ model: chatModel, choices: [choice], ...more });
const message = (content: unknown, more: object = {}) => ({ role: 'assistant', content, ...more });
const openAiRows: readonly BodyRow[] = [
  ...texts.map(([name, text, cut]): BodyRow => [
    name,
    'invalid',
    openAi({ message: message(text), finish_reason: cut ? 'length' : 'stop' }),
  ]),
  ['no choices', 'invalid', { model: chatModel, choices: [] }],
  ['no text and no finish reason', 'invalid', openAi({ message: { role: 'assistant' } })],
  [
    'all tokens spent on reasoning',
    'invalid',
    openAi({ message: message(null, { reasoning_content: 'Okay, so' }), finish_reason: 'length' }),
  ],
  [
    'an error inside of the choice',
    'invalid',
    openAi({ message: message(''), finish_reason: 'error', error: { code: 502, message: 'upstream' } }),
  ],
  [
    'a refusal in its own field',
    'declined',
    openAi({ message: message(null, { refusal: refusalProse }), finish_reason: 'stop' }),
  ],
  ['a content filter without text', 'declined', openAi({ message: message(null), finish_reason: 'content_filter' })],
  [
    'a content filter in the middle of the text',
    'declined',
    openAi({ message: message('{"title":"T'), finish_reason: 'content_filter' }),
  ],
  ['an error', 'outage', { error: { message: 'overloaded', type: 'server_error', code: 503 } }],
];

const ollama = (content: unknown, more: object = {}) => ({
  model: chatModel,
  message: message(content),
  done: true,
  done_reason: 'stop',
  ...more,
});
const ollamaRows: readonly BodyRow[] = [
  ...texts.map(([name, text, cut]): BodyRow => [
    name,
    'invalid',
    ollama(text, { done_reason: cut ? 'length' : 'stop' }),
  ]),
  ['no text', 'invalid', ollama('', { message: { role: 'assistant' } })],
  ['no message', 'invalid', { model: chatModel, done: true, done_reason: 'stop' }],
  ['an end that is not one', 'invalid', ollama('{"title":"T","bull', { done: false, done_reason: undefined })],
  [
    'all tokens spent on thinking',
    'invalid',
    ollama('', { message: message('', { thinking: 'Okay, so' }), done_reason: 'length' }),
  ],
  ['a model that was only loaded', 'invalid', ollama('', { done_reason: 'load' })],
  ['an error', 'outage', { error: 'llama runner process has terminated' }],
];

const gemini = (candidate: object, more: object = {}) => ({
  candidates: [{ index: 0, ...candidate }],
  modelVersion: chatModel,
  ...more,
});
const parts = (...found: object[]) => ({ content: { role: 'model', parts: found } });
const blocked = (reason: string) => ({ promptFeedback: { blockReason: reason }, modelVersion: chatModel });
const geminiRows: readonly BodyRow[] = [
  ...texts.map(([name, text, cut]): BodyRow => [
    name,
    'invalid',
    gemini({ ...parts(...(text === null ? [] : [{ text }])), finishReason: cut ? 'MAX_TOKENS' : 'STOP' }),
  ]),
  ['content without parts', 'invalid', gemini({ content: { role: 'model' }, finishReason: 'STOP' })],
  ['no content', 'invalid', gemini({ finishReason: 'STOP' })],
  [
    'all tokens spent on thoughts',
    'invalid',
    gemini({ ...parts({ text: 'Okay', thought: true }), finishReason: 'MAX_TOKENS' }),
  ],
  ...['RECITATION', 'OTHER', 'LANGUAGE', 'MALFORMED_FUNCTION_CALL'].map((finishReason): BodyRow => [
    finishReason,
    'invalid',
    gemini({ finishReason }),
  ]),
  [
    'RECITATION in the middle of lines',
    'invalid',
    gemini({ ...parts({ text: '- one line\n- another li' }), finishReason: 'RECITATION' }),
  ],
  ...['SAFETY', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'].flatMap((reason): BodyRow[] => [
    [`${reason} without content`, 'declined', gemini({ finishReason: reason })],
    [`a prompt blocked for ${reason}, without candidates`, 'declined', blocked(reason)],
  ]),
  [
    'SAFETY in the middle of the text',
    'declined',
    gemini({ ...parts({ text: '{"title":"T' }), finishReason: 'SAFETY' }),
  ],
  ['a blocked prompt and an empty list', 'declined', { ...blocked('OTHER'), candidates: [] }],
  ['no candidates and no reason', 'declined', { modelVersion: chatModel, usageMetadata: {} }],
  ['a blocked prompt that names no model', 'declined', { promptFeedback: { blockReason: 'SAFETY' } }],
  ['an error', 'outage', { error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } }],
];

/** Every way in which a service of each shape answers with 200 and gives no usable answer. */
export const bodyRows: Readonly<Record<ChatWire, readonly BodyRow[]>> = {
  'openai-chat': [...openAiRows, ...envelopes],
  'ollama-chat': [...ollamaRows, ...envelopes],
  gemini: [...geminiRows, ...envelopes],
};
