import { llmTextEngine } from '../../../activities/text/llm-engine.js';
import { promptVersions } from '../../../activities/text/prompts/prompt-versions.js';
import { verbatimAt } from '../../support/verbatim.js';
import { summaryArtifactSchema } from '../../../src/summary.js';
import { scriptedModel, type ScriptedAnswer } from '../../support/scripted-model.js';
import { episodeOf, spoken, talk } from '../../support/spoken.js';

const input = { episode: episodeOf(), transcript: talk };
const contract = {
  title: 'Braking earlier',
  bullets: ['Speed comes from braking earlier.'],
  key_quotes: ['speed comes from braking earlier and smoother', 'Nobody ever said this.'],
  entities: [{ name: 'Cascadia Alliance', kind: 'organization' }],
  timestamps: [
    { time: '[0:21]', label: 'Braking' },
    { time: '99:00', label: 'After the end' },
  ],
};
const good: ScriptedAnswer = { json: contract };
const summarize = (...answers: ScriptedAnswer[]) => {
  const model = scriptedModel({ summary: answers });
  return { model, result: llmTextEngine(model.deps).summarize(input) };
};

describe('llmTextEngine summarize', () => {
  it('makes one call when the answer is valid, and records who answered', async () => {
    const { model, result } = summarize(good);

    const { artifact, ...provenance } = await result;

    expect(model.asked).toEqual(['summary']);
    expect(provenance).toEqual({
      calls: 1,
      modelReported: 'model-reported',
      promptVersion: promptVersions.summarize,
      methodVersion: 'llm-text/2',
      method: 'model',
    });
    expect(summaryArtifactSchema.parse(artifact).model).toBe('model-reported');
  });

  it('keeps quotes that were said, in the transcript’s own words, and timestamps inside of the episode', async () => {
    const { artifact } = await summarize(good).result;

    expect(artifact.keyQuotes).toHaveLength(1);
    expect(artifact.keyQuotes[0]).toMatchObject({
      text: 'Speed comes from braking earlier and smoother',
      speaker: 'Sophie Lorenz',
    });
    expect(artifact.keyQuotes.every((quote) => verbatimAt(talk, quote))).toBe(true);
    expect(artifact.timestamps).toEqual([{ atSec: 21, label: 'Braking' }]);
  });

  it('asks the very same once more when the answer is cut, and takes the second answer', async () => {
    const { model, result } = summarize({ text: '{"title":"Bra', finishReason: 'length' }, good);

    expect((await result).calls).toBe(2);
    expect(model.requests[1]).toEqual(model.requests[0]);
    expect(model.violations).toEqual(['summary finish_reason_length']);
  });

  it.each<[string, ScriptedAnswer, string]>([
    ['a contract that is cut with finish reason stop', '{"title":"T","bullets":["a","b', 'json_parse_failed'],
    ['a cut contract behind prose', 'Sure!\n{"title":"T","bullets":["a"', 'json_parse_failed'],
    ['no content', { text: '' }, 'empty_content'],
    ['no content because thinking used it up', { text: '', finishReason: 'length' }, 'finish_reason_length'],
    ['a refusal', 'I am sorry, but I cannot help with that.', 'json_parse_failed'],
    ['a content filter', { text: '', finishReason: 'content-filter' }, 'finish_reason_content_filter'],
    ['thinking out loud', 'Okay, so I need to summarise this.', 'thinking_prose_detected'],
    ['a think block that never ends', '<think>\nThe user wants {', 'thinking_prose_detected'],
    ['a storm of white space', `{${'\n'.repeat(5000)}`, 'whitespace_storm'],
    ['an error with status 200', '{"error":{"message":"model overloaded"}}', 'error_body'],
    ['no bullets', { json: { ...contract, bullets: [' '] } }, 'schema_mismatch'],
  ])('re-rolls once, then gives up, on %s', async (_, answer, reason) => {
    const { model, result } = summarize(answer);

    await expect(result).rejects.toMatchObject({ name: 'InvalidAnswerError', service: 'summary', reason });
    expect(model.asked).toEqual(['summary', 'summary']);
    expect(model.violations).toEqual([`summary ${reason}`, `summary ${reason}`]);
  });

  it.each<[string, ScriptedAnswer]>([
    ['fenced JSON', `\`\`\`json\n${JSON.stringify(contract)}\n\`\`\``],
    ['a closed think block in front', `<think>\nOkay, so I need to.\n</think>\n${JSON.stringify(contract)}`],
    ['a trailing comma', JSON.stringify(contract).replace('earlier."]', 'earlier.",]')],
    [
      'other names for the fields',
      { json: { title: 'T', takeaways: 'One thing.', quotes: [], named_entities: ['Linear'] } },
    ],
  ])('takes %s without a re-roll', async (_, answer) => {
    const { model, result } = summarize(answer);

    expect((await result).degraded).toBeUndefined();
    expect(model.asked).toHaveLength(1);
  });

  it('takes a plain list of marked lines, and says so', async () => {
    const { artifact, degraded } = await summarize('- Brake earlier.\n- Mind the tires.').result;

    expect(artifact.bullets).toEqual(['Brake earlier.', 'Mind the tires.']);
    expect(artifact.title).toBe('Enduro Skills');
    expect(degraded).toBe('summary read from plain lines');
  });

  it('passes on what the endpoint does, without a re-roll', async () => {
    const refused = new Error('connection refused');
    const { model, result } = summarize(refused);

    await expect(result).rejects.toBe(refused);
    expect(model.asked).toHaveLength(1);
    expect(model.violations).toEqual([]);
  });

  it('refuses an answer to a prompt that the server cut', async () => {
    const { model, result } = summarize({ text: JSON.stringify(contract), inputTokens: 16 }, good);

    expect((await result).calls).toBe(2);
    expect(model.violations).toEqual(['summary prompt_truncated']);
  });

  it('says nothing of the answer in its errors', async () => {
    await expect(summarize('secret words').result).rejects.toThrow(/^Invalid answer to summary: json_parse_failed$/);
  });
});

describe('llmTextEngine summarize beyond the context', () => {
  const long = spoken(
    Array.from(
      { length: 60 },
      (_, index) => `${index % 2 ? 'B' : 'A'}: ${`Part ${index} is about trails and water. `.repeat(8)}`,
    ),
  );
  const part = (bullet: string): ScriptedAnswer => ({ json: { ...contract, bullets: [bullet] } });

  it('maps and reduces, every prompt within the context', async () => {
    const model = scriptedModel({ summary: [part('a part')] }, { contextTokens: 4096 });

    const { artifact, calls } = await llmTextEngine(model.deps).summarize({ ...input, transcript: long });

    expect(calls).toBeGreaterThan(2);
    expect(artifact.bullets).toEqual(['a part']);
    for (const request of model.requests) {
      const tokens = (request.system.length + request.user.length) / 3.5 + request.maxOutputTokens;
      expect(tokens).toBeLessThanOrEqual(4096);
    }
  });

  it('sends all of the transcript', async () => {
    const model = scriptedModel({ summary: [part('a part')] }, { contextTokens: 4096 });

    await llmTextEngine(model.deps).summarize({ ...input, transcript: long });

    const sent = model.requests.map((request) => request.user).join('\n');
    expect(
      Array.from({ length: 60 }, (_, index) => index).filter((index) => !sent.includes(`Part ${index} is`)),
    ).toEqual([]);
  });

  it('re-rolls only the call that failed', async () => {
    const healthy = scriptedModel({ summary: [part('a part')] }, { contextTokens: 4096 });
    const { calls } = await llmTextEngine(healthy.deps).summarize({ ...input, transcript: long });
    const failing = scriptedModel({ summary: [part('a'), '{"bullets":["cut', part('a')] }, { contextTokens: 4096 });

    const result = await llmTextEngine(failing.deps).summarize({ ...input, transcript: long });

    expect(result.calls).toBe(calls + 1);
    expect(failing.requests[2]).toEqual(failing.requests[1]);
  });
});
