import type { HttpAnswer } from './http.js';
import type { ChatAnswer } from './provider.js';

/** What a chat service said, read from its own shape. */
export interface Said {
  readonly text: string;
  readonly finishReason: ChatAnswer['finishReason'];
  readonly model: string;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

/** The answer to one call, with the model as the service itself reports it. */
export function chatAnswerOf({ requestId }: HttpAnswer, said: Said): ChatAnswer {
  const { text, finishReason, model, inputTokens, outputTokens } = said;
  return {
    text,
    finishReason,
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    modelReported: model,
    modelReportedBy: 'answer',
    ...(requestId !== undefined && { requestId }),
    calls: 1,
  };
}
