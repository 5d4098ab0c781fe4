import type { WireShape } from '../../src/endpoint.js';
import { asr, llm, minuteMs, planOf, speaches, timeSkippingSites, vllm } from '../support/sites.js';
import { defaultChatAnswers } from '../support/stub/default-chat-answers.js';
import type { ChatAnswers } from '../support/stub/chat-answers.js';
import type { ShapeName } from '../support/stub/shapes/index.js';
import { stageOf, workCalls } from './support.js';

const shapes: [WireShape, ShapeName][] = [
  ['openai-chat', 'vllm'],
  ['ollama-chat', 'ollama'],
  ['gemini', 'gemini'],
];

/** The JSON that was asked for, with a sentence in front of it. */
const afterProse: ChatAnswers = {
  ...defaultChatAnswers,
  summary: (prompt) => `Sure, here it is: ${JSON.stringify(defaultChatAnswers['summary']?.(prompt))}`,
};

describe('a summary that a chat service does not give', () => {
  const sites = timeSkippingSites();

  /** Calls that a first tier of this shape sees before the next one, a healthy vLLM, answers. */
  async function callsOf(
    [wire, shape]: [WireShape, ShapeName],
    mode: string,
    chatAnswers = defaultChatAnswers,
  ): Promise<number> {
    const policy = { backoffScheduleSec: [0.1] };
    const rig = await sites.start({
      episodes: 1,
      stub: { asr: speaches, llm: { shape, model: 'chat-model', chatAnswers }, second: vllm },
      plan: planOf('failover', [asr(), llm('summarize', { wire, policy }), llm('summarize', { endpointId: 'second' })]),
    });
    rig.stub.endpoint('llm').script({ rules: [{ when: { kind: 'work' }, mode }] });
    await rig.startBatch('b');
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 1 });
    expect((await stageOf(rig, 'summarize')).optionId).toBe('second-option');
    return workCalls(rig)['llm'] ?? 0;
  }

  describe.each(shapes)('over %s', (...shape) => {
    it('is asked for twice where prose stands before the JSON', async () => {
      expect(await callsOf(shape, 'ok', afterProse)).toBe(2);
    });

    it('is asked for once where the service declines', async () => {
      expect(await callsOf(shape, 'refusal')).toBe(shape[0] === 'ollama-chat' ? 2 : 1);
    });

    it('is retried as an outage where a 200 holds an error', async () => {
      expect(await callsOf(shape, '200err:503')).toBe(4);
    });
  });

  it.each(['gemini-block', 'gemini-no-candidates', 'gemini-safety'])('is asked for once after %s', async (mode) => {
    expect(await callsOf(['gemini', 'gemini'], mode)).toBe(1);
  });
});
