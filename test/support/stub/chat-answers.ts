import { instanceOf } from './schema-instance.js';

export interface ChatPrompt {
  readonly system: string;
  readonly user: string;
  /** Name of the JSON schema that was asked for; undefined: plain text. */
  readonly schemaName: string | undefined;
  readonly schema: Readonly<Record<string, unknown>> | undefined;
}

/** Makes the text of an answer; an object is sent as JSON. */
export type ChatAnswer = (prompt: ChatPrompt) => unknown;
/** By schema name; `text` is for calls that ask for none. */
export type ChatAnswers = Readonly<Record<string, ChatAnswer>>;

export interface ChatContent {
  readonly text: string | null;
  readonly finish: 'stop' | 'length' | 'blocked';
  readonly refusal?: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** The answer to a prompt, spoiled as the mode says. */
export function chatContent(prompt: ChatPrompt, mode: string, answers: ChatAnswers): ChatContent {
  const good = goodText(prompt, answers);
  const tokens = (text: string): number => Math.ceil(text.length / 4);
  const content = (text: string | null, finish: ChatContent['finish'] = 'stop'): ChatContent => ({
    text,
    finish,
    promptTokens: mode === 'low-prompt-tokens' ? 16 : tokens(prompt.system + prompt.user),
    completionTokens: tokens(text ?? ''),
  });
  switch (mode) {
    case 'null-content':
      return content(null);
    case 'empty':
      return content('', 'length');
    case 'truncate+length':
      return content(good.slice(0, Math.ceil(good.length * 0.6)), 'length');
    case 'bad-json':
      return content(`{"${good}`);
    case 'think':
      return content(`<think>\nOkay, so I need to answer this.\n</think>\n${good}`);
    case 'fence':
      return content(`\`\`\`json\n${good}\n\`\`\``);
    case 'whitespace':
      return content(`{${'\n'.repeat(5000)}`, 'length');
    case 'refusal':
      return { ...content('I am sorry, but I cannot help with that.', 'blocked'), refusal: 'I cannot help with that.' };
    case 'repeat-loop':
      return content('and then we went on '.repeat(200), 'length');
    default:
      return content(good);
  }
}

function goodText(prompt: ChatPrompt, answers: ChatAnswers): string {
  const own = answers[prompt.schemaName ?? 'text'];
  const answer = own ? own(prompt) : byDefault(prompt);
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}

/** Any valid instance of the schema that was asked for, its strings taken from the prompt; plain text: three of its sentences. */
function byDefault(prompt: ChatPrompt): unknown {
  const found = sentencesOf(prompt.user);
  if (!prompt.schema) return found.slice(0, 3).join('\n');
  let next = 0;
  return instanceOf(prompt.schema, () => found[next++ % found.length] ?? 'ok');
}

/** Sentences of a prompt, verbatim. */
export function sentencesOf(text: string): string[] {
  const found = text.match(/[A-Z][^.?!\n]{15,}[.?!]/g) ?? [];
  return found.length > 0 ? found : ['The speakers discuss the topic of the day.'];
}
