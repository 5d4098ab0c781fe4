import { isServedModel } from '../../src/served-model.js';

describe('isServedModel', () => {
  it.each([
    ['openai-transcription', 'Systran/faster-whisper-large-v3', 'Systran/faster-whisper-large-v3', true],
    ['openai-transcription', 'Systran/faster-whisper-large-v3', 'deepdml/faster-whisper-large-v3-turbo-ct2', false],
    ['openai-transcription', 'large-v3', 'large-v3-turbo', false],
    ['openai-chat', 'gpt-4o', 'gpt-4o-2024-08-06', true],
    ['openai-chat', 'gpt-4o', 'gpt-4o-mini-2024-07-18', false],
    ['openai-chat', 'gpt-4o', 'gpt-4o-mini', false],
    ['gemini', 'gemini-2.5-flash', 'models/gemini-2.5-flash', true],
    ['gemini', 'gemini-2.0-flash', 'gemini-2.0-flash-001', true],
    ['gemini', 'gemini-2.5-flash', 'gemini-2.5-flash-lite', false],
    ['ollama-chat', 'hermes3', 'hermes3:latest', true],
    ['ollama-chat', 'hermes3:8b', 'hermes3:latest', false],
    ['deepgram', 'nova-3', 'general-nova-3', true],
    ['deepgram', 'nova-3-general', 'general-nova-3', true],
    ['deepgram', 'nova-3-medical', 'general-nova-3', false],
    ['deepgram', 'nova-3', 'nova-2-general', false],
  ] as const)('over %s: %s answered by %s is %s', (...[wire, asked, reported, same]) => {
    expect(isServedModel(wire, asked, reported)).toBe(same);
  });
});
