import { buildKgArtifact, kgArtifactSchema, metadataFacts, type KgFacts } from '../../src/knowledge-graph.js';
import { slugOf } from '../../src/graph-ids.js';
import { episodeOf } from '../support/spoken.js';

const graph = (facts: Partial<KgFacts>, fields = {}) =>
  buildKgArtifact({
    episode: episodeOf(fields),
    durationSec: 60,
    facts: { people: [], organizations: [], topics: [], relations: [], ...facts },
    modelVersion: 'metadata_only',
    extractedAt: '2026-01-01T00:00:00Z',
  });

describe('buildKgArtifact', () => {
  it('makes one node of names that differ only in spelling, with the strongest role', () => {
    const { nodes } = graph({
      people: [
        { name: 'José  Núñez', role: 'mentioned' },
        { name: 'jose nunez', role: 'guest' },
      ],
    });

    expect(nodes.filter((node) => node.type === 'Person')).toEqual([
      { id: 'person:jose-nunez', type: 'Person', properties: { name: 'jose nunez', role: 'guest' } },
    ]);
  });

  it('relates the organisation, not the topic, where both have one name', () => {
    const { edges } = graph({
      people: [{ name: 'Ann Bell', role: 'guest' }],
      organizations: [{ name: 'Linear' }],
      topics: [{ label: 'linear' }],
      relations: [{ from: 'Ann Bell', to: 'Linear', relation: 'works at' }],
    });

    expect(edges.find(({ type }) => type === 'RELATED_TO')).toMatchObject({
      from: 'person:ann-bell',
      to: 'org:linear',
    });
  });

  it('gives the same ids to the same names in every run and order', () => {
    const found = { people: [{ name: 'Ann Bell', role: 'guest' as const }], topics: [{ label: 'Trail water' }] };
    const again = { people: [{ name: 'ann  bell', role: 'host' as const }], topics: [{ label: 'trail-water' }] };
    const idsOf = (facts: Partial<KgFacts>): string[] => graph(facts).nodes.map(({ id }) => id);

    expect(idsOf(again)).toEqual(idsOf(found));
  });

  it('keeps tokens of the enclosure’s URL out of the artifact', () => {
    expect(JSON.stringify(graph({}, { audioUrl: 'https://a.test/e.mp3?token=secret' }))).not.toContain('secret');
  });

  it('says which date it is when the feed gives none, and normalises the one it gives', () => {
    const dateOf = (fields: object): unknown =>
      graph({}, fields).nodes.find((node) => node.type === 'Episode')?.properties.publish_date;

    expect(dateOf({ publishedAt: 'not a date' })).toBe('1970-01-01T00:00:00Z');
    expect(dateOf({ publishedAt: '2025-09-08' })).toBe('2025-09-08T00:00:00.000Z');
  });

  it('satisfies its own schema for an episode without a title', () => {
    expect(() => kgArtifactSchema.parse(graph({}, { title: '', feedTitle: ' ' }))).not.toThrow();
  });
});

describe('metadataFacts', () => {
  it('takes voices that were named before people whom the feed names', () => {
    const episode = episodeOf({
      people: [
        { name: 'Liam', role: 'Guest' },
        { name: 'Ann', role: 'editor' },
      ],
    });

    expect(
      metadataFacts(episode, [{ speaker: 'SPEAKER_00', name: 'Maya', role: 'host', source: 'audio' }]).people,
    ).toMatchObject([
      { name: 'Maya', role: 'host' },
      { name: 'Liam', role: 'guest' },
      { name: 'Ann', role: 'mentioned' },
    ]);
  });
});

describe('slugOf', () => {
  it('keeps letters of every script', () => {
    expect(slugOf('  Ålesund & Москва! ')).toBe('alesund-москва');
    expect(slugOf('***')).toBe('unknown');
  });
});
