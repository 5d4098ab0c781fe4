import type { WireShape } from './endpoint.js';

/**
 * Whether the model that a service names is the one that was asked for. Exact, but for the ways in which a vendor
 * spells one and the same model: OpenAI and Gemini resolve an alias to its dated or numbered release, Ollama adds
 * `:latest` to a name without tag, Deepgram writes variant and architecture the other way round.
 */
export function isServedModel(wire: WireShape, asked: string, reported: string): boolean {
  if (asked === reported) return true;
  switch (wire) {
    case 'openai-chat':
      return isRelease(asked, reported, /^-\d{4}-\d{2}-\d{2}$/);
    case 'gemini':
      return isRelease(plainGemini(asked), plainGemini(reported), /^(-\d{3})?$/);
    case 'ollama-chat':
      return `${asked}:latest` === reported || asked === `${reported}:latest`;
    case 'deepgram':
      return deepgramSpelling(asked) === deepgramSpelling(reported);
    case 'openai-transcription':
    case 'moss':
    case 'pyannote':
    case 'local-extractive':
      return false;
  }
}

function isRelease(asked: string, reported: string, suffix: RegExp): boolean {
  return reported.startsWith(asked) && suffix.test(reported.slice(asked.length));
}

function plainGemini(model: string): string {
  return model.replace(/^models\//, '');
}

/** `nova-3`, `nova-3-general` and `general-nova-3` are one model. */
function deepgramSpelling(model: string): string {
  const match = /^(?:(.+)-)?(nova(?:-\d+)?)(?:-(.+))?$/.exec(model);
  if (!match) return model;
  const [, before, architecture = '', after] = match;
  return `${architecture}-${before ?? after ?? 'general'}`;
}
