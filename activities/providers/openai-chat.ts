import { z } from 'zod';
import { withDeadline } from './call-scope.js';
import { chatAnswerOf } from './chat-answer.js';
import { bearer } from './credentials.js';
import { checkHealth } from './health.js';
import { parsedAs, send, type Purpose, type Sender } from './http.js';
import { chatBodyOf, isOpenAi } from './openai-chat-body.js';
import type { CallOptions, ChatAnswer, ChatRequest, ProviderClient } from './provider.js';
import { confirmModel, listOpenAiModels } from './served-models.js';
import { apiUrl, besideApiUrl } from './service-url.js';

const answerSchema = z.object({
  model: z.string(),
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: z.number().optional(), completion_tokens: z.number().optional() }).nullish(),
});

/** One token: the smallest inference there is. */
export const probeRequest: ChatRequest = { system: '', user: 'Say OK.', temperature: 0, maxOutputTokens: 1 };

async function post(
  sender: Sender,
  options: CallOptions,
  call: { request: ChatRequest; purpose: Purpose },
): Promise<ChatAnswer> {
  const { service } = sender;
  const answer = await send(sender, {
    method: 'POST',
    url: apiUrl(service.url, '/v1/chat/completions'),
    purpose: call.purpose,
    headers: bearer(options),
    json: chatBodyOf(call.request, service),
  });
  const { model, choices, usage } = parsedAs(answer, answerSchema);
  confirmModel(service, model);
  const [choice] = choices;
  // An empty refusal is how some servers say that there is none.
  const isDeclined = choice?.finish_reason === 'content_filter' || Boolean(choice?.message.refusal?.trim());
  if (isDeclined) throw answer.invalid({ reason: 'content_filter', refused: true });
  return chatAnswerOf(answer, {
    text: choice?.message.content ?? '',
    finishReason: finishReasonOf(choice?.finish_reason),
    model,
    inputTokens: usage?.prompt_tokens,
    outputTokens: usage?.completion_tokens,
  });
}

/** Words for an answer that was cut: OpenAI's, Anthropic's behind a gateway, Mistral's. */
const cutReasons: ReadonlySet<string> = new Set(['length', 'max_tokens', 'model_length']);

/** What OpenAI, its imitators and Ollama call the end of an answer. */
export function finishReasonOf(reason: string | null | undefined): ChatAnswer['finishReason'] {
  if (typeof reason === 'string' && cutReasons.has(reason)) return 'length';
  return reason === 'stop' ? 'stop' : 'other';
}

/**
 * `POST /v1/chat/completions`: vLLM, OpenAI, Ollama's `/v1`, and everything that speaks the same. Returns the text as it
 * came: whether it is the JSON that was asked for is for the caller's re-roll (ADR-148). A declined input is `ContentRejected`.
 */
export const openAiChat: ProviderClient = {
  complete: (request, service, options) =>
    withDeadline(options, (scope) => post({ scope, service }, options, { request, purpose: 'work' })),

  health: (service, options) =>
    checkHealth(service, options, {
      url: isOpenAi(service.url) ? apiUrl(service.url, '/v1/models') : besideApiUrl(service.url, '/health'),
      headers: bearer(options),
    }),

  servedModels: (service, options) =>
    withDeadline(options, (scope) => listOpenAiModels({ scope, service }, bearer(options))),

  async probe(service, options) {
    await withDeadline(options, (scope) =>
      post({ scope, service }, options, { request: probeRequest, purpose: 'probe' }),
    );
  },
};
