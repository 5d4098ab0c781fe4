import { createProviderClients } from '../../activities/providers/index.js';
import type { TextEngine } from '../../activities/text/engine.js';
import { llmTextEngine } from '../../activities/text/llm-engine.js';
import type { EndpointServer } from './stub/endpoint-server.js';
import { startStub, type Stub } from './stub/stub.js';

/** Each chat provider shape, and the scripted service that plays its other side. */
export const chatWires = [
  ['openai-chat', 'vllm'],
  ['ollama-chat', 'ollama'],
  ['gemini', 'gemini'],
] as const;
export type ChatWire = (typeof chatWires)[number][0];

/** The text stages over one provider client, which talks to a scripted service through real sockets. */
export interface ChatEngine {
  readonly engine: TextEngine;
  readonly stub: Stub;
  readonly endpoint: EndpointServer;
  readonly violations: string[];
}

export const chatModel = 'qwen-30b';

export async function startChatEngine(wire: ChatWire): Promise<ChatEngine> {
  const shape = chatWires.find(([name]) => name === wire)?.[1] ?? 'vllm';
  const stub = await startStub({ endpoints: { llm: { shape, model: chatModel } } });
  const client = createProviderClients()[wire];
  const service = { endpointId: 'llm', wire, url: stub.endpoint('llm').url, model: chatModel };
  const violations: string[] = [];
  const engine = llmTextEngine({
    complete: (_, request) => {
      if (client.complete === undefined) throw new Error('a chat client completes');
      return client.complete(request, service, { cancellation: new AbortController().signal, deadlineMs: 10_000 });
    },
    onViolation: (name, reason) => violations.push(`${name} ${reason}`),
    modelId: chatModel,
    nowIso: '2026-01-01T00:00:00Z',
  });
  return { engine, stub, endpoint: stub.endpoint('llm'), violations };
}
