import { chatBodyOf } from '../../../activities/providers/openai-chat-body.js';
import { chatRequest } from './support.js';

describe('chatBodyOf', () => {
  it.each([
    ['a server of one’s own', 'http://box:8003/v1'],
    ['OpenAI', 'https://api.openai.com/v1'],
    ['an address that is none', 'box'],
  ])('asks %s for the JSON by its schema', (_, url) => {
    const { response_format: format, messages } = chatBodyOf(chatRequest, { model: 'm', url });

    expect(format).toEqual({ type: 'json_schema', json_schema: { ...chatRequest.json, strict: true } });
    expect(JSON.stringify(messages)).not.toContain('additionalProperties');
  });

  it('puts the schema into the prompt where the server knows JSON but no schema', () => {
    const body = chatBodyOf(chatRequest, { model: 'deepseek-chat', url: 'https://api.deepseek.com/v1' });

    expect(body['response_format']).toEqual({ type: 'json_object' });
    expect(body['messages']).toEqual([
      {
        role: 'system',
        content: expect.stringMatching(/^Answer in JSON\.\n.*JSON Schema:\n\{"type":"object"/s) as unknown,
      },
      { role: 'user', content: chatRequest.user },
    ]);
  });

  it('gives OpenAI no word that it does not know', () => {
    const body = chatBodyOf(chatRequest, { model: 'gpt-5-qwen3', url: 'https://api.openai.com/v1' });

    expect(Object.keys(body).sort()).toEqual([
      'max_completion_tokens',
      'messages',
      'model',
      'response_format',
      'seed',
      'stream',
    ]);
  });
});
