import { z } from 'zod';
import { CallFailure } from './call-failure.js';
import { withDeadline } from './call-scope.js';
import { chatAnswerOf } from './chat-answer.js';
import { checkHealth } from './health.js';
import { parsedAs, send, type HttpAnswer, type Purpose, type Sender } from './http.js';
import { probeRequest } from './openai-chat.js';
import type { CallOptions, ChatAnswer, ChatRequest, ProviderClient, Service } from './provider.js';
import { confirmModel } from './served-models.js';
import { apiUrl } from './service-url.js';

const candidateSchema = z.object({
  content: z
    .object({ parts: z.array(z.object({ text: z.string().optional(), thought: z.boolean().optional() })).optional() })
    .optional(),
  finishReason: z.string().optional(),
});
const answerSchema = z.object({
  candidates: z.array(candidateSchema).optional(),
  promptFeedback: z.object({ blockReason: z.string().optional() }).optional(),
  usageMetadata: z
    .object({ promptTokenCount: z.number().optional(), candidatesTokenCount: z.number().optional() })
    .optional(),
  /** Absent in what older versions of the API say of a blocked prompt. */
  modelVersion: z.string().optional(),
});

/** Reasons to stop that speak of this input: no second try helps. RECITATION and OTHER may pass on a re-roll. */
const declining: ReadonlySet<string> = new Set([
  'SAFETY',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'MODEL_ARMOR',
  'JAILBREAK',
]);

/** An answer that was stopped for its own wording is cut, however whole it looks; a re-roll may word it otherwise. */
const finishReasons: Readonly<Record<string, ChatAnswer['finishReason']>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  RECITATION: 'content-filter',
  LANGUAGE: 'content-filter',
};

const modelUrl = (service: Service, method = ''): string =>
  apiUrl(service.url, `/v1beta/models/${service.model.replace(/^models\//, '')}${method}`);

const key = ({ apiKey }: CallOptions): Record<string, string> =>
  apiKey === undefined ? {} : { 'x-goog-api-key': apiKey };

/** The schema's name travels as its title. Thinking is off where the model allows: it eats the output's budget. */
function bodyOf(request: ChatRequest, model: string): Record<string, unknown> {
  const { system, user, temperature, maxOutputTokens, seed, json } = request;
  return {
    contents: [{ role: 'user', parts: [{ text: user }] }],
    ...(system !== '' && { systemInstruction: { parts: [{ text: system }] } }),
    generationConfig: {
      temperature,
      maxOutputTokens,
      ...(seed !== undefined && { seed }),
      ...(json && { responseMimeType: 'application/json', responseJsonSchema: { title: json.name, ...json.schema } }),
      ...(/2\.5-flash/.test(model) && { thinkingConfig: { thinkingBudget: 0 } }),
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
    url: modelUrl(service, ':generateContent'),
    purpose: call.purpose,
    headers: key(options),
    json: bodyOf(call.request, service.model),
  });
  const body = parsedAs(answer, answerSchema);
  const { modelVersion } = body;
  if (modelVersion !== undefined) confirmModel(service, modelVersion);
  refuseBlocked(answer, body);
  if (modelVersion === undefined) throw answer.invalid({ reason: 'schema_mismatch:modelVersion' });
  const candidate = body.candidates?.[0];
  const parts = candidate?.content?.parts ?? [];
  return chatAnswerOf(answer, {
    text: parts.flatMap((part) => (part.thought === true ? [] : (part.text ?? []))).join(''),
    finishReason: finishReasons[candidate?.finishReason ?? ''] ?? 'other',
    model: modelVersion,
    inputTokens: body.usageMetadata?.promptTokenCount,
    outputTokens: body.usageMetadata?.candidatesTokenCount,
  });
}

/** A blocked prompt is a 200 without candidates, sometimes without a reason. */
function refuseBlocked(answer: HttpAnswer, body: z.infer<typeof answerSchema>): void {
  const [candidate] = body.candidates ?? [];
  const reason = candidate ? candidate.finishReason : (body.promptFeedback?.blockReason ?? 'NO_CANDIDATES');
  if (!candidate || declining.has(reason ?? '')) throw answer.invalid({ reason: reason ?? 'SAFETY', refused: true });
}

/** Gemini's `generateContent`. The model that answered is `modelVersion`; the one in the path is only the one asked for. */
export const gemini: ProviderClient = {
  complete: (request, service, options) =>
    withDeadline(options, (scope) => post({ scope, service }, options, { request, purpose: 'work' })),

  // It has no health page; the model's own document is free and checks the key as well.
  health: (service, options) => checkHealth(service, options, { url: modelUrl(service), headers: key(options) }),

  /** Asks for the one model: the full list has pages of others. */
  async servedModels(service, options) {
    return withDeadline(options, async (scope) => {
      try {
        const url = modelUrl(service);
        const answer = await send({ scope, service }, { method: 'GET', url, purpose: 'models', headers: key(options) });
        return [parsedAs(answer, z.object({ name: z.string() })).name.replace(/^models\//, '')];
      } catch (error) {
        if (error instanceof CallFailure && error.details.status === 404) return [];
        throw error;
      }
    });
  },

  async probe(service, options) {
    await withDeadline(options, (scope) =>
      post({ scope, service }, options, { request: probeRequest, purpose: 'probe' }),
    );
  },
};
