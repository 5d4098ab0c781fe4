import type { WireShape } from '../../src/endpoint.js';
import { chunkedTranscription, type ChunkTools } from './chunked-transcription.js';
import { deepgram } from './deepgram.js';
import { gemini } from './gemini.js';
import { moss, mossMaxSec } from './moss.js';
import { ollamaChat } from './ollama-chat.js';
import { openAiChat } from './openai-chat.js';
import { openAiTranscription, transcriptionLimits } from './openai-transcription.js';
import type { ProviderClient } from './provider.js';
import { pyannote } from './pyannote.js';

/** Wire shapes that are spoken over HTTP; `local-extractive` is computed here and is no client of this folder. */
export type HttpWireShape = Exclude<WireShape, 'local-extractive'>;

/**
 * One client a wire shape. `chunks`: how audio longer than a service takes is cut; without it such audio is
 * `ContentRejected` before it is sent.
 */
export function createProviderClients(chunks?: ChunkTools): Readonly<Record<HttpWireShape, ProviderClient>> {
  return {
    'openai-transcription': chunkedTranscription(openAiTranscription, transcriptionLimits, chunks),
    moss: chunkedTranscription(moss, () => ({ maxDurationSec: mossMaxSec }), chunks),
    pyannote,
    deepgram,
    'openai-chat': openAiChat,
    'ollama-chat': ollamaChat,
    gemini,
  };
}

/** Clients for callers that send no long audio: probes, health checks, lists of models. */
export const providerClients = createProviderClients();
