import { z } from 'zod';
import { withDeadline } from './call-scope.js';
import { chatAnswerOf } from './chat-answer.js';
import { bearer } from './credentials.js';
import { checkHealth } from './health.js';
import { parsedAs, send, type Purpose, type Sender } from './http.js';
import { finishReasonOf, probeRequest } from './openai-chat.js';
import type { CallOptions, ChatAnswer, ChatRequest, ProviderClient, Service } from './provider.js';
import { confirmModel } from './served-models.js';
import { besideApiUrl } from './service-url.js';

/** Ollama's own default of 2,048 to 4,096 tokens cuts a transcript without a word. */
const defaultContextTokens = 32_768;

const answerSchema = z.object({
  model: z.string(),
  message: z.object({ content: z.string() }),
  done: z.boolean(),
  done_reason: z.string().optional(),
  prompt_eval_count: z.number().optional(),
  eval_count: z.number().optional(),
});
const tagsSchema = z.object({ models: z.array(z.object({ name: z.string() })) });

/** The schema's name travels as its title: the native API has no other place for it. */
function bodyOf(request: ChatRequest, service: Service): Record<string, unknown> {
  const { system, user, temperature, maxOutputTokens, seed, json } = request;
  return {
    model: service.model,
    messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), { role: 'user', content: user }],
    stream: false,
    // A prompt or an answer beyond the context is refused or ends as cut; versions that do not know the words ignore them.
    truncate: false,
    shift: false,
    ...(json && { format: { title: json.name, ...json.schema } }),
    // Only models that can think know the field, the others answer 400.
    ...(/qwen3|deepseek-r1/i.test(service.model) && { think: false }),
    options: {
      num_ctx: service.limits?.contextTokens ?? defaultContextTokens,
      temperature,
      num_predict: maxOutputTokens,
      ...(seed !== undefined && { seed }),
    },
  };
}

async function post(
  sender: Sender,
  options: CallOptions,
  call: { request: ChatRequest; purpose: Purpose },
): Promise<ChatAnswer> {
  const { service } = sender;
  const answer = await send(sender, {
    method: 'POST',
    url: besideApiUrl(service.url, '/api/chat'),
    purpose: call.purpose,
    headers: bearer(options),
    json: bodyOf(call.request, service),
  });
  const body = parsedAs(answer, answerSchema);
  confirmModel(service, body.model);
  return chatAnswerOf(answer, {
    text: body.message.content,
    finishReason: body.done ? finishReasonOf(body.done_reason ?? 'stop') : 'length',
    model: body.model,
    inputTokens: body.prompt_eval_count,
    outputTokens: body.eval_count,
  });
}

/**
 * Ollama's native `POST /api/chat`: unlike its `/v1` it takes the context's size, and it says how many tokens of the
 * prompt it really read (`inputTokens`), by which the caller sees a prompt that was cut.
 */
export const ollamaChat: ProviderClient = {
  complete: (request, service, options) =>
    withDeadline(options, (scope) => post({ scope, service }, options, { request, purpose: 'work' })),

  health: (service, options) =>
    checkHealth(service, options, { url: besideApiUrl(service.url, '/api/version'), headers: bearer(options) }),

  async servedModels(service, options) {
    return withDeadline(options, async (scope) => {
      const url = besideApiUrl(service.url, '/api/tags');
      const answer = await send(
        { scope, service },
        { method: 'GET', url, purpose: 'models', headers: bearer(options) },
      );
      return parsedAs(answer, tagsSchema).models.map((model) => model.name);
    });
  },

  async probe(service, options) {
    await withDeadline(options, (scope) =>
      post({ scope, service }, options, { request: probeRequest, purpose: 'probe' }),
    );
  },
};
