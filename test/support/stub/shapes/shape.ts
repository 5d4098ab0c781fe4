import type { ChatAnswers } from '../chat-answers.js';
import type { RequestBody } from '../request-body.js';
import type { Speech } from '../canned-speech.js';

/** What a service sends back. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly contentType: string;
}

/** One inference request, read and understood. */
export interface InferenceCall {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: RequestBody;
  /** The model the service says it serves: its own, or another one under `wrong-model`. */
  readonly model: string;
  readonly mode: string;
  /** What is in the audio; empty for a chat call. */
  readonly speech: Speech;
  readonly chatAnswers: ChatAnswers;
}

/** The wire contract of one kind of service (reference: `docs` of the vendors; no code of theirs). */
export interface Shape {
  /** What a path is for; undefined: no such path. */
  kindOf(method: string, path: string): 'inference' | 'health' | 'models' | undefined;
  modelAsked(body: RequestBody, path: string, query: URLSearchParams): string | undefined;
  /** Form fields it knows; others are ignored with a warning in the log. */
  readonly formFields?: readonly string[];
  /** `busy` answers as when the model is still loading. */
  health(model: string, loading: boolean): Reply;
  models(model: string): Reply;
  /** The strict check of a request; a reply is a refusal. */
  refusal(call: InferenceCall): Reply | undefined;
  answer(call: InferenceCall): Reply;
  /** An error in the vendor's own form. `code` is the vendor's own word for it, where it has one. */
  error(status: number, message: string, code?: string): Reply;
}

export function jsonReply(status: number, body: unknown): Reply {
  return { status, body: JSON.stringify(body), contentType: 'application/json' };
}

export function textReply(status: number, body: string): Reply {
  return { status, body, contentType: 'text/plain; charset=utf-8' };
}

export function openAiModelList(model: string, more: object = {}): Reply {
  return jsonReply(200, {
    object: 'list',
    data: [{ id: model, object: 'model', created: 1, owned_by: 'stub', ...more }],
  });
}
