import { extractiveTextEngine } from '../../../activities/text/extractive-engine.js';
import { locateQuote, transcriptText } from '../../../src/grounding.js';
import { verifyGrounding } from '../../../src/verify-grounding.js';
import { giArtifactSchema } from '../../../src/insights.js';
import { kgArtifactSchema } from '../../../src/knowledge-graph.js';
import { summaryArtifactSchema } from '../../../src/summary.js';
import { schemaFaults } from '../../support/artifact-schemas.js';
import { episodeOf, sharedTranscript, spoken, talk } from '../../support/spoken.js';

const engine = extractiveTextEngine({ nowIso: '2026-01-01T00:00:00Z' });
const input = { episode: episodeOf(), transcript: talk };
const sharedTalk = sharedTranscript('p01_e02');

describe('extractiveTextEngine', () => {
  it('summarises in sentences that were spoken, and says that it is extractive', async () => {
    const { artifact, method, calls } = await engine.summarize(input);

    expect(summaryArtifactSchema.parse(artifact).method).toBe('extractive');
    expect({ method, calls }).toEqual({ method: 'extractive', calls: 0 });
    expect(artifact.bullets.every((bullet) => locateQuote(talk, bullet)?.text === bullet)).toBe(true);
    expect(artifact.bullets).toContain('Speed comes from braking earlier and smoother, not from taking bigger risks.');
  });

  it('leaves adverts, questions and small talk out', async () => {
    const text = (await engine.summarize(input)).artifact.bullets.join(' ');

    expect(text).not.toMatch(/Linear|\?|Welcome/);
  });

  it('grounds every insight in itself', async () => {
    const { artifact } = await engine.insights(input);

    const insights = artifact.nodes.filter((node) => node.type === 'Insight');
    expect(insights.length).toBeGreaterThan(0);
    expect(insights.every((node) => node.properties.grounded)).toBe(true);
    expect(verifyGrounding(giArtifactSchema.parse(artifact), talk)).toEqual([]);
    expect(artifact.model_version).toMatch(/^extractive:/);
  });

  it('names people by the audio, with their roles, and relates what is said together', async () => {
    const { artifact } = await engine.knowledgeGraph(input);

    expect(kgArtifactSchema.parse(artifact).extraction.model_version).toMatch(/^provider:extractive:/);
    expect(artifact.nodes).toContainEqual({
      id: 'person:maya',
      type: 'Person',
      properties: { name: 'Maya', role: 'host' },
    });
    expect(artifact.nodes).toContainEqual({
      id: 'org:cascadia-alliance',
      type: 'Organization',
      properties: { name: 'Cascadia Alliance', role: 'mentioned' },
    });
    expect(artifact.edges).toContainEqual({
      type: 'GUESTS_ON',
      from: 'person:sophie-lorenz',
      to: 'podcast:singletrack',
    });
    expect(artifact.edges.some((edge) => edge.type === 'RELATED_TO')).toBe(true);
  });

  it('gives the same artifacts for the same input', async () => {
    expect(await engine.insights(input)).toEqual(await engine.insights(input));
    expect(await engine.knowledgeGraph(input)).toEqual(await engine.knowledgeGraph(input));
  });

  it('says something of an episode of three sentences', async () => {
    const transcript = spoken(['A: Welcome back. Today is about trails.', 'B: Thanks, Maya.']);

    expect((await engine.summarize({ ...input, transcript })).artifact.bullets).not.toHaveLength(0);
    expect((await engine.insights({ ...input, transcript })).artifact.nodes.length).toBeGreaterThan(2);
  });

  it('cuts speech without full stops into sentences of a readable length', async () => {
    const transcript = spoken([`A: ${'we ride the trail in the rain and the water runs off '.repeat(40)}`]);

    const { bullets } = (await engine.summarize({ ...input, transcript })).artifact;
    expect(bullets.every((bullet) => bullet.length <= 320 && locateQuote(transcript, bullet) !== undefined)).toBe(true);
  });

  it('refuses a transcript without words', async () => {
    const transcript = { durationSec: 5, segments: [{ startSec: 0, endSec: 5, text: '  ' }] };

    await expect(engine.summarize({ ...input, transcript })).rejects.toMatchObject({ reason: 'empty_transcript' });
  });
});

const sharedData = sharedTalk === undefined ? describe.skip : describe;
sharedData('extractiveTextEngine on p01_e02 (skipped where ../shared/data is not there)', () => {
  const shared = { ...input, transcript: sharedTalk ?? talk };

  it('writes artifacts that satisfy the published JSON Schemas and the grounding contract', async () => {
    const insights = (await engine.insights(shared)).artifact;

    expect(schemaFaults('gi', insights)).toEqual([]);
    expect(schemaFaults('kg', (await engine.knowledgeGraph(shared)).artifact)).toEqual([]);
    expect(verifyGrounding(insights, shared.transcript)).toEqual([]);
  });

  it('summarises in less than a fifth of its words', async () => {
    const { artifact } = await engine.summarize(shared);

    expect(artifact.bullets.join(' ').length).toBeLessThan(transcriptText(shared.transcript).length / 5);
  });
});
