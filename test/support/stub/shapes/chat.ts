import { chatContent, type ChatPrompt } from '../chat-answers.js';
import { openAiError } from './cloud-speech.js';
import { jsonReply, openAiModelList, textReply, type InferenceCall, type Reply, type Shape } from './shape.js';

interface ChatBody {
  model?: string;
  messages?: { role: string; content: string }[];
  stream?: boolean;
  max_tokens?: number;
  response_format?: { type: string; json_schema?: { name: string; schema: Record<string, unknown> } };
  format?: Record<string, unknown> | string;
}

function bodyOf(call: InferenceCall): ChatBody {
  return call.body.json ?? {};
}

/** The prompt of an OpenAI or Ollama body. Ollama sends a bare schema: its `title` is the name. */
function promptOf(body: ChatBody): ChatPrompt {
  const content = (role: string): string => body.messages?.find((message) => message.role === role)?.content ?? '';
  const asked = body.response_format?.json_schema;
  const format = typeof body.format === 'object' ? body.format : undefined;
  const title = format?.['title'];
  return {
    system: content('system'),
    user: content('user'),
    schemaName: asked?.name ?? (typeof title === 'string' ? title : undefined),
    schema: asked?.schema ?? format,
  };
}

/** vLLM, and any server that speaks OpenAI's chat completions. */
export const openAiChat: Shape = {
  kindOf(method, path) {
    if (method === 'POST' && path === '/v1/chat/completions') return 'inference';
    if (method === 'GET' && (path === '/health' || path === '/is_sleeping')) return 'health';
    return method === 'GET' && path === '/v1/models' ? 'models' : undefined;
  },
  modelAsked: (body) => (body.json as ChatBody | undefined)?.model,
  health: (_model, loading) => (loading ? textReply(503, '') : textReply(200, '')),
  models: (model) => openAiModelList(model, { root: model, parent: null, max_model_len: 32_768, permission: [] }),
  refusal(call) {
    const body = bodyOf(call);
    if (!Array.isArray(body.messages)) return openAiError(400, 'messages: field required');
    if (body.model !== call.model && call.mode !== 'wrong-model') {
      return openAiError(404, `The model '${body.model ?? ''}' does not exist.`, 'model_not_found');
    }
    return undefined;
  },
  answer(call) {
    const content = chatContent(promptOf(bodyOf(call)), call.mode, call.chatAnswers);
    if (call.mode === 'bad-schema') return jsonReply(200, { id: 'x', object: 'chat.completion', model: call.model });
    return jsonReply(200, {
      id: 'chatcmpl-stub',
      object: 'chat.completion',
      created: 1,
      model: call.model,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: content.text, refusal: content.refusal ?? null },
          finish_reason: content.finish === 'blocked' ? 'content_filter' : content.finish,
        },
      ],
      usage: {
        prompt_tokens: content.promptTokens,
        completion_tokens: content.completionTokens,
        total_tokens: content.promptTokens + content.completionTokens,
      },
    });
  },
  error: openAiError,
};

/** Ollama: its native chat and its `/v1` one. */
export const ollama: Shape = {
  ...openAiChat,
  kindOf(method, path) {
    if (method === 'POST' && path === '/api/chat') return 'inference';
    if (method === 'GET' && path === '/api/version') return 'health';
    if (method === 'GET' && (path === '/api/tags' || path === '/api/ps')) return 'models';
    return path === '/health' ? undefined : openAiChat.kindOf(method, path);
  },
  health: (_model, loading) => (loading ? ollamaError(503, 'loading') : jsonReply(200, { version: '0.21.0' })),
  models: (model) =>
    jsonReply(200, {
      object: 'list',
      data: [{ id: model, object: 'model', created: 1, owned_by: 'library' }],
      models: [{ name: model, model, size: 1, digest: 'd'.repeat(64), details: {} }],
    }),
  refusal(call) {
    const body = bodyOf(call);
    if (body.model !== call.model && call.mode !== 'wrong-model') {
      return ollamaError(404, `model "${body.model ?? ''}" not found, try pulling it first`);
    }
    return undefined;
  },
  answer(call) {
    if (call.path === '/v1/chat/completions') return openAiChat.answer(call);
    if (call.mode === 'bad-schema') return jsonReply(200, { model: call.model, done: true });
    const content = chatContent(promptOf(bodyOf(call)), call.mode, call.chatAnswers);
    return jsonReply(200, {
      model: call.model,
      created_at: '2026-01-01T00:00:00Z',
      message: { role: 'assistant', content: content.text ?? '' },
      done: true,
      done_reason: content.finish === 'blocked' ? 'stop' : content.finish,
      total_duration: 1,
      load_duration: 1,
      prompt_eval_count: content.promptTokens,
      eval_count: content.completionTokens,
    });
  },
  error: ollamaError,
};

function ollamaError(status: number, message: string): Reply {
  return jsonReply(status, { error: message });
}
