import { chatContent, type ChatPrompt } from '../chat-answers.js';
import { jsonReply, type InferenceCall, type Reply, type Shape } from './shape.js';

interface GeminiBody {
  contents?: { parts: { text?: string }[] }[];
  systemInstruction?: { parts: { text?: string }[] };
  generationConfig?: { responseJsonSchema?: Record<string, unknown>; responseMimeType?: string };
}

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** An error as Google's APIs write it. */
export function geminiError(status: number, message: string, code?: string): Reply {
  return jsonReply(status, { error: { code: status, message, status: code ?? statusNames[status] ?? 'UNKNOWN' } });
}

function promptOf(call: InferenceCall): ChatPrompt {
  const body = (call.body.json ?? {}) as GeminiBody;
  const schema = body.generationConfig?.responseJsonSchema;
  const title = schema?.['title'];
  const text = (parts?: { text?: string }[]): string => (parts ?? []).map((part) => part.text ?? '').join('\n');
  return {
    system: text(body.systemInstruction?.parts),
    user: text(body.contents?.[0]?.parts),
    schemaName: typeof title === 'string' ? title : undefined,
    schema,
  };
}

const blocked = (model: string, reason: string): Reply =>
  jsonReply(200, {
    promptFeedback: { blockReason: reason },
    usageMetadata: { promptTokenCount: 5 },
    modelVersion: model,
  });

/** Gemini's generateContent. Nothing is served under a health path; the model's own document is the free check. */
export const gemini: Shape = {
  kindOf(method, path) {
    if (method === 'POST' && /^\/v1beta\/models\/[^/]+:generateContent$/.test(path)) return 'inference';
    return method === 'GET' && path.startsWith('/v1beta/models') ? 'models' : undefined;
  },
  modelAsked: (_body, path) => /\/models\/([^/:]+)/.exec(path)?.[1],
  health: () => jsonReply(200, {}),
  models: (model) => jsonReply(200, { name: `models/${model}`, models: [{ name: `models/${model}` }] }),
  refusal(call) {
    const asked = /\/models\/([^/:]+)/.exec(call.path)?.[1];
    if (asked === call.model || call.mode === 'wrong-model') return undefined;
    return geminiError(404, `models/${asked ?? ''} is not found for API version v1beta`);
  },
  answer(call) {
    if (call.mode === 'gemini-block') return blocked(call.model, 'PROHIBITED_CONTENT');
    if (call.mode === 'gemini-no-candidates') return jsonReply(200, { usageMetadata: {}, modelVersion: call.model });
    if (call.mode === 'bad-schema') return jsonReply(200, { candidates: 'none', modelVersion: call.model });
    const content = chatContent(
      promptOf(call),
      call.mode === 'gemini-safety' ? 'refusal' : call.mode,
      call.chatAnswers,
    );
    const finishReason = { stop: 'STOP', length: 'MAX_TOKENS', blocked: 'SAFETY' }[content.finish];
    const parts = content.text === null ? [] : [{ text: content.text }];
    return jsonReply(200, {
      candidates: [
        call.mode === 'gemini-safety'
          ? { finishReason: 'SAFETY', index: 0 }
          : { content: { parts, role: 'model' }, finishReason, index: 0 },
      ],
      usageMetadata: {
        promptTokenCount: content.promptTokens,
        candidatesTokenCount: content.completionTokens,
        totalTokenCount: content.promptTokens + content.completionTokens,
      },
      modelVersion: call.model,
      responseId: 'stub-response',
    });
  },
  error: geminiError,
};
