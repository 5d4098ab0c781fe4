import { openAiChat, ollama } from './chat.js';
import { deepgram, openAiTranscription } from './cloud-speech.js';
import { moss, pyannote, speaches, whisper } from './fastapi.js';
import { gemini } from './gemini.js';
import type { Shape } from './shape.js';

/** All services that can be played. `vllm` and `openai-chat` speak the same. */
export const shapes = {
  speaches,
  whisper,
  'openai-transcription': openAiTranscription,
  moss,
  pyannote,
  deepgram,
  vllm: openAiChat,
  'openai-chat': openAiChat,
  ollama,
  gemini,
} as const satisfies Record<string, Shape>;

export type ShapeName = keyof typeof shapes;
