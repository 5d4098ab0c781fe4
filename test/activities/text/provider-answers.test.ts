import { CallFailure } from '../../../activities/providers/call-failure.js';
import { InvalidAnswerError } from '../../../src/structured-answers/invalid-answer.js';
import { bodyRows, type AnswerKind } from '../../support/chat-bodies.js';
import { chatWires, startChatEngine, type ChatEngine } from '../../support/chat-engine.js';
import { episodeOf, spoken, talk } from '../../support/spoken.js';

const input = { episode: episodeOf(), transcript: talk };
/** Nobody is named by any rule. */
const nameless = spoken(['A: So here we are again, in the workshop.', 'B: For thirty years, and it never gets old.']);

/** What a stage made, or how it ended, in one word. */
async function outcomeOf(stage: Promise<{ readonly degraded?: string }>): Promise<string> {
  try {
    return (await stage).degraded?.replace(/:.*/, '') ?? 'whole';
  } catch (error) {
    if (error instanceof InvalidAnswerError) return 'InvalidAnswer';
    if (error instanceof CallFailure) return error.type;
    throw error;
  }
}

/** The wiring table of design.md section 6: calls that are sent, and how the stage ends. */
const wiring: Readonly<Record<string, Readonly<Record<AnswerKind, readonly [calls: number, outcome: string]>>>> = {
  summary: { invalid: [2, 'InvalidAnswer'], declined: [1, 'ContentRejected'], outage: [1, 'EndpointUnavailable'] },
  insights: { invalid: [1, 'InvalidAnswer'], declined: [1, 'ContentRejected'], outage: [1, 'EndpointUnavailable'] },
  insight_value_gate: {
    invalid: [2, 'value gate failed open'],
    declined: [1, 'value gate failed open'],
    outage: [1, 'EndpointUnavailable'],
  },
  quotes: { invalid: [2, 'InvalidAnswer'], declined: [1, 'ContentRejected'], outage: [1, 'EndpointUnavailable'] },
  entailment: {
    invalid: [2, 'entailment was not checked'],
    declined: [1, 'entailment was not checked'],
    outage: [1, 'EndpointUnavailable'],
  },
  speaker_names: {
    invalid: [2, 'InvalidAnswer'],
    declined: [1, 'ContentRejected'],
    outage: [1, 'EndpointUnavailable'],
  },
  knowledge_graph: {
    invalid: [1, 'metadata-only graph'],
    declined: [1, 'metadata-only graph'],
    outage: [1, 'EndpointUnavailable'],
  },
};

describe.each(chatWires)('what %s sends with 200 and is no answer', (wire) => {
  let chat: ChatEngine;

  beforeAll(async () => {
    chat = await startChatEngine(wire);
  });
  afterAll(() => chat.stub.close());

  const stageOf = (question: string): Promise<{ readonly degraded?: string }> => {
    const { engine } = chat;
    if (question === 'summary') return engine.summarize(input);
    if (question === 'knowledge_graph') return engine.knowledgeGraph(input);
    return engine.insights(question === 'speaker_names' ? { ...input, transcript: nameless } : input);
  };

  describe.each(Object.keys(wiring))('to %s', (question) => {
    it.each(bodyRows[wire])('is recovered from as the wiring table says: %s', async (_, kind, body) => {
      await chat.stub.reset();
      const reply = { status: 200, body };
      chat.endpoint.script({ rules: [{ when: { contains: `"${question}"` }, reply }] });

      const outcome = await outcomeOf(stageOf(question));

      const sent = chat.endpoint.calls.filter(({ body: asked }) => JSON.stringify(asked).includes(`"${question}"`));
      expect([sent.length, outcome]).toEqual(wiring[question]?.[kind]);
    });
  });
});
