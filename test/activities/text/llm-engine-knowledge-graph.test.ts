import { llmTextEngine } from '../../../activities/text/llm-engine.js';
import { kgArtifactSchema } from '../../../src/knowledge-graph.js';
import { schemaFaults } from '../../support/artifact-schemas.js';
import { scriptedModel, type ScriptedAnswer } from '../../support/scripted-model.js';
import { episodeOf, talk } from '../../support/spoken.js';

const facts = {
  topics: [{ label: 'tire pressure', description: 'How much it matters.' }],
  people: [
    { name: 'Sophie Lorenz', role: 'mentioned', description: 'An enduro racer.' },
    { name: 'Sophie', role: 'guest', description: '' },
    { name: 'Eddy Merckx', role: 'mentioned', description: 'Never spoken of.' },
  ],
  organizations: [{ name: 'Cascadia Alliance', description: 'Riders.' }],
  relations: [
    { from: 'Cascadia Alliance', to: 'tire pressure', relation: 'changes' },
    { from: 'Cascadia Alliance', to: 'Eddy Merckx', relation: 'sponsors' },
  ],
};
const run = async (answer: ScriptedAnswer, episode = episodeOf()) => {
  const model = scriptedModel({ knowledge_graph: [answer] });
  return { model, ...(await llmTextEngine(model.deps).knowledgeGraph({ episode, transcript: talk })) };
};

describe('llmTextEngine knowledgeGraph', () => {
  it('builds nodes with stable ids, roles by what is heard, and relations', async () => {
    const { artifact, degraded } = await run({ json: facts });

    expect(degraded).toBeUndefined();
    expect(kgArtifactSchema.parse(artifact).extraction.model_version).toBe('provider:model-reported');
    expect(artifact.nodes.map((node) => node.id)).toEqual([
      'podcast:singletrack',
      'episode:e02',
      'person:maya',
      'person:sophie-lorenz',
      'org:cascadia-alliance',
      'topic:tire-pressure',
    ]);
    expect(artifact.edges).toContainEqual({ type: 'HOSTS', from: 'person:maya', to: 'podcast:singletrack' });
    expect(artifact.edges.filter((edge) => edge.type === 'RELATED_TO')).toEqual([
      {
        type: 'RELATED_TO',
        from: 'org:cascadia-alliance',
        to: 'topic:tire-pressure',
        properties: { relation: 'changes' },
      },
    ]);
  });

  it('leaves out names that were neither said nor stand in the show notes', async () => {
    expect(JSON.stringify((await run({ json: facts })).artifact)).not.toContain('Merckx');
  });

  it('takes names as they are said, whole words in any spelling of their signs', async () => {
    const organizations = ['Big', "O'Brien & Sons", '!?'].map((name) => ({ name, description: '' }));
    const { artifact } = await run(
      { json: { ...facts, organizations } },
      episodeOf({ description: 'By O’Brien & Sons.' }),
    );

    expect(artifact.nodes.filter(({ type }) => type === 'Organization').map(({ id }) => id)).toEqual([
      'org:o-brien-sons',
    ]);
  });

  it('holds at most 10 topics and 15 people and organisations', async () => {
    const many = {
      ...facts,
      topics: Array.from({ length: 30 }, (_, index) => ({ label: `topic ${index}`, description: '' })),
      organizations: Array.from({ length: 30 }, (_, index) => ({ name: `Org ${index}`, description: '' })),
    };
    const description = many.organizations.map((one) => one.name).join(', ');
    const { artifact } = await run({ json: many }, episodeOf({ description }));

    const count = (types: string[]): number => artifact.nodes.filter((node) => types.includes(node.type)).length;
    expect(count(['Topic'])).toBe(10);
    expect(count(['Person', 'Organization'])).toBe(15);
  });

  it.each<[string, ScriptedAnswer, string]>([
    ['an answer that is cut', { text: '{"topics":[', finishReason: 'length' }, 'finish_reason_length'],
    ['an answer that is no JSON', 'There are two topics.', 'json_parse_failed'],
    ['an answer of another shape', { json: { topics: 'tires' } }, 'schema_mismatch'],
    ['no content', { text: '' }, 'empty_content'],
    [
      'an answer that names nothing',
      { json: { topics: [], people: [], organizations: [], relations: [] } },
      'names nothing',
    ],
  ])('degrades to metadata without a re-roll on %s', async (_, answer, reason) => {
    const { model, artifact, degraded } = await run(answer);

    expect(model.asked).toEqual(['knowledge_graph']);
    expect(artifact.extraction.model_version).toBe('metadata_only');
    expect(artifact.nodes.map((node) => node.id)).toContain('person:maya');
    expect(degraded).toMatch(new RegExp(`^metadata-only graph: .*${reason}`));
  });

  it('passes on what the endpoint does', async () => {
    const refused = new Error('connection refused');

    await expect(run(refused)).rejects.toBe(refused);
  });

  it('satisfies the published JSON Schema (checked where ../shared/data is there)', async () => {
    expect(schemaFaults('kg', (await run({ json: facts })).artifact) ?? []).toEqual([]);
    expect(schemaFaults('kg', (await run('no JSON')).artifact) ?? []).toEqual([]);
  });
});
