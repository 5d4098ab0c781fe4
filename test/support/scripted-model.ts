import type { ChatAnswer, ChatRequest } from '../../activities/providers/provider.js';
import type { TextEngineDeps } from '../../activities/text/model-calls.js';

/** One answer: its text, an object sent as JSON, fields of the answer, or an error to throw. */
export type ScriptedAnswer = string | Error | Partial<ChatAnswer> | { readonly json: unknown };
/** By purpose: answers in order, the last one repeating; or a function of the request. */
export type Script = Readonly<Record<string, readonly ScriptedAnswer[] | ((request: ChatRequest) => ScriptedAnswer)>>;

export interface ScriptedModel {
  readonly deps: TextEngineDeps;
  /** Purposes in the order in which they were asked. */
  readonly asked: string[];
  readonly requests: ChatRequest[];
  readonly violations: string[];
}

/** A model that answers by script, and a record of what it was asked. */
export function scriptedModel(script: Script, limits: { readonly contextTokens?: number } = {}): ScriptedModel {
  const asked: string[] = [];
  const requests: ChatRequest[] = [];
  const violations: string[] = [];
  const answerOf = (purpose: string, request: ChatRequest): ScriptedAnswer => {
    const entry = script[purpose];
    if (entry === undefined) return new Error(`No answer is scripted for ${purpose}`);
    if (typeof entry === 'function') return entry(request);
    const before = asked.filter((one) => one === purpose).length - 1;
    return entry[Math.min(before, entry.length - 1)] ?? '';
  };
  const complete = (purpose: string, request: ChatRequest): Promise<ChatAnswer> => {
    asked.push(purpose);
    requests.push(request);
    const answer = answerOf(purpose, request);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(chatAnswer(answer));
  };
  const deps: TextEngineDeps = {
    complete,
    onViolation: (service, reason) => violations.push(`${service} ${reason}`),
    modelId: 'model-asked',
    nowIso: '2026-01-01T00:00:00Z',
    ...limits,
  };
  return { deps, asked, requests, violations };
}

function chatAnswer(answer: Exclude<ScriptedAnswer, Error>): ChatAnswer {
  const fields =
    typeof answer === 'string' ? { text: answer } : 'json' in answer ? { text: JSON.stringify(answer.json) } : answer;
  return {
    text: '',
    finishReason: 'stop',
    modelReported: 'model-reported',
    modelReportedBy: 'answer',
    calls: 1,
    ...fields,
  };
}
