import { chatRequest, complete, failureOf, options, play } from './support.js';

const chatWires = ['openai-chat', 'ollama-chat', 'gemini'] as const;

describe.each(chatWires)('%s', (wire) => {
  it('asks for the schema and returns the text, the model that answered and the tokens', async () => {
    const { stub, endpoint, service } = await play(wire);
    const answer = await complete(wire)(chatRequest, service, options());
    expect(answer).toMatchObject({
      finishReason: 'stop',
      modelReported: service.model,
      modelReportedBy: 'answer',
      calls: 1,
    });
    expect(answer.inputTokens).toBeGreaterThan(0);
    expect(answer.outputTokens).toBeGreaterThan(0);
    expect(JSON.parse(answer.text)).toMatchObject({ bullets: expect.any(Array) as unknown[] });
    expect(JSON.stringify(endpoint.calls[0]?.body)).toContain('"additionalProperties":false');
    await stub.close();
  });

  it.each([
    ['truncate+length', 'length'],
    ['think', 'stop'],
    ['fence', 'stop'],
    ['bad-json', 'stop'],
    ['empty', 'length'],
    ['null-content', 'stop'],
  ])('returns %s as it came, for the caller to judge', async (mode, finishReason) => {
    const { stub, endpoint, service } = await play(wire, { script: { default: mode } });
    const answer = await complete(wire)(chatRequest, service, options());
    expect(answer.finishReason).toBe(finishReason);
    expect(endpoint.counters.workCalls).toBe(1);
    await stub.close();
  });

  it('shows how much of the prompt was read', async () => {
    const { stub, service } = await play(wire, { script: { default: 'low-prompt-tokens' } });
    expect((await complete(wire)(chatRequest, service, options())).inputTokens).toBe(16);
    await stub.close();
  });
});

describe('openAiChat', () => {
  it('sends the schema by name and strictly, and no word that OpenAI does not know', async () => {
    const { stub, endpoint, service } = await play('openai-chat', { model: 'meta-llama/Llama-3' });
    await complete('openai-chat')(chatRequest, service, options());
    expect(endpoint.calls[0]?.body).toEqual({
      model: 'meta-llama/Llama-3',
      messages: [
        { role: 'system', content: chatRequest.system },
        { role: 'user', content: chatRequest.user },
      ],
      temperature: 0.2,
      max_tokens: 400,
      stream: false,
      seed: 7,
      response_format: { type: 'json_schema', json_schema: { ...chatRequest.json, strict: true } },
    });
    await stub.close();
  });

  it('switches thinking off for models that think', async () => {
    const { stub, endpoint, service } = await play('openai-chat', { model: 'Qwen/Qwen3-30B' });
    await complete('openai-chat')(chatRequest, service, options());
    expect(endpoint.calls[0]?.body).toMatchObject({ chat_template_kwargs: { enable_thinking: false } });
    await stub.close();
  });

  it('takes an empty refusal for none', async () => {
    const { stub, endpoint, service } = await play('openai-chat');
    const message = { content: '{"title":"T"}', refusal: '' };
    const body = { model: service.model, choices: [{ message, finish_reason: 'stop' }] };
    endpoint.script({ steps: [{ reply: { status: 200, body } }] });
    expect((await complete('openai-chat')(chatRequest, service, options())).text).toBe('{"title":"T"}');
    await stub.close();
  });

  it('takes a declined input for rejected content', async () => {
    const { stub, service } = await play('openai-chat', { script: { default: 'refusal' } });
    expect((await failureOf(complete('openai-chat')(chatRequest, service, options()))).type).toBe('ContentRejected');
    await stub.close();
  });
});

describe.each(['openai-chat', 'ollama-chat'] as const)('the end of an answer over %s', (wire) => {
  it.each(['length', 'max_tokens', 'model_length'])('is a cut where it is called %s', async (reason) => {
    const { stub, endpoint, service } = await play(wire);
    const body =
      wire === 'openai-chat'
        ? { model: service.model, choices: [{ message: { content: '- a\n- b' }, finish_reason: reason }] }
        : { model: service.model, message: { content: '- a\n- b' }, done: true, done_reason: reason };
    endpoint.script({ steps: [{ reply: { status: 200, body } }] });
    expect((await complete(wire)(chatRequest, service, options())).finishReason).toBe('length');
    await stub.close();
  });
});

describe('ollamaChat', () => {
  it.each([
    ['qwen3.5:35b', false],
    ['deepseek-r1:32b', false],
    ['hermes3:8b', undefined],
  ])('switches the thinking of %s off where it can think', async (model, think) => {
    const { stub, endpoint, service } = await play('ollama-chat', { model });
    await complete('ollama-chat')(chatRequest, service, options());
    expect((endpoint.calls[0]?.body as { think?: boolean }).think).toBe(think);
    await stub.close();
  });

  it('lets no prompt and no answer be cut in silence', async () => {
    const { stub, endpoint, service } = await play('ollama-chat');
    await complete('ollama-chat')(chatRequest, service, options());
    expect(endpoint.calls[0]?.body).toMatchObject({ truncate: false, shift: false });
    await stub.close();
  });

  it('sets the size of the context: from the tier, else large enough for a transcript', async () => {
    const { stub, endpoint, service } = await play('ollama-chat');
    await complete('ollama-chat')(chatRequest, service, options());
    await complete('ollama-chat')(chatRequest, { ...service, limits: { contextTokens: 8192 } }, options());
    expect(endpoint.calls.map((call) => call.body)).toMatchObject([
      { stream: false, options: { num_ctx: 32_768, num_predict: 400 } },
      { options: { num_ctx: 8192 } },
    ]);
    await stub.close();
  });
});

describe('gemini', () => {
  it.each([
    ['gemini-block', 'PROHIBITED_CONTENT'],
    ['gemini-safety', 'SAFETY'],
    ['gemini-no-candidates', 'NO_CANDIDATES'],
  ])('takes %s for rejected content', async (mode, code) => {
    const { stub, service } = await play('gemini', { script: { default: mode } });
    const failure = await failureOf(complete('gemini')(chatRequest, service, options()));
    expect(failure).toMatchObject({ type: 'ContentRejected', details: { code } });
    await stub.close();
  });

  it('believes the model in the answer, not the one in the path', async () => {
    const { stub, service } = await play('gemini', {
      script: { default: 'wrong-model' },
      wrongModel: 'gemini-1.0-pro',
    });
    const failure = await failureOf(complete('gemini')(chatRequest, service, options()));
    expect(failure.details).toMatchObject({ modelExpected: 'gemini-2.5-flash-lite', modelReported: 'gemini-1.0-pro' });
    await stub.close();
  });

  it('takes a daily quota for a dead account, whatever wait it promises', async () => {
    const { stub, service } = await play('gemini', { script: { default: 'gemini-daily-quota' } });
    expect((await failureOf(complete('gemini')(chatRequest, service, options()))).type).toBe('AccountTerminal');
    await stub.close();
  });
});
