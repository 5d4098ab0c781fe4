import type { ChatRequest } from './provider.js';

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

export function isOpenAi(url: string): boolean {
  return hostOf(url) === 'api.openai.com';
}

/** DeepSeek's own API knows JSON but no schema, and answers 400 to one: there the schema stands in the prompt. */
function takesSchema(url: string): boolean {
  return hostOf(url) !== 'api.deepseek.com';
}

type Wanted = NonNullable<ChatRequest['json']>;

function responseFormat({ name, schema }: Wanted, url: string): Record<string, unknown> {
  if (!takesSchema(url)) return { type: 'json_object' };
  return { type: 'json_schema', json_schema: { name, schema, strict: true } };
}

function systemOf({ system, json }: ChatRequest, url: string): string {
  if (json === undefined || takesSchema(url)) return system;
  return `${system}\n\nThe JSON satisfies this JSON Schema:\n${JSON.stringify(json.schema)}`.trimStart();
}

/**
 * The body of a chat completion. JSON is asked for by schema, strictly: servers that know no `strict` ignore it.
 * Thinking is switched off for Qwen 3 (it eats the token budget) in vLLM's and in Ollama's words; OpenAI itself refuses
 * words it does not know, and wants the token limit under its new name.
 */
export function chatBodyOf(
  request: ChatRequest,
  { model, url }: { readonly model: string; readonly url: string },
): Record<string, unknown> {
  const { user, temperature, maxOutputTokens, seed, json } = request;
  const system = systemOf(request, url);
  const ownServer = !isOpenAi(url);
  return {
    model,
    messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), { role: 'user', content: user }],
    // OpenAI's reasoning models know no temperature and answer 400 to one.
    ...((ownServer || !/^(gpt-5|o\d)/.test(model)) && { temperature }),
    [ownServer ? 'max_tokens' : 'max_completion_tokens']: maxOutputTokens,
    stream: false,
    ...(seed !== undefined && { seed }),
    ...(json && { response_format: responseFormat(json, url) }),
    ...(ownServer &&
      /qwen3/i.test(model) && { chat_template_kwargs: { enable_thinking: false }, reasoning_effort: 'none' }),
  };
}
