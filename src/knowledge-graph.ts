import { z } from 'zod';
import type { Episode } from './episode.js';
import { episodeFrame, organizationId, personId, podcastId, slugOf, topicId } from './graph-ids.js';
import { interleave } from './interleave.js';
import type { SpeakerName } from './speaker-names.js';

/** Most topics, and most people and organisations together, that a graph holds. */
export interface KgCaps {
  readonly topics: number;
  readonly entities: number;
}
export const kgCaps: KgCaps = { topics: 10, entities: 15 };

export interface KgPerson {
  readonly name: string;
  readonly role: 'host' | 'guest' | 'mentioned';
  readonly description?: string | undefined;
}

/** What was found in an episode, best first, before it becomes nodes. */
export interface KgFacts {
  readonly people: readonly KgPerson[];
  readonly organizations: readonly { readonly name: string; readonly description?: string | undefined }[];
  readonly topics: readonly { readonly label: string; readonly description?: string | undefined }[];
  /** Between names or labels of the above; others are left out. */
  readonly relations: readonly { readonly from: string; readonly to: string; readonly relation: string }[];
}

const idSchema = z.string().min(1);
const descriptionSchema = z.string().max(4000).optional();
const nodeSchema = z.discriminatedUnion('type', [
  z.strictObject({ id: idSchema, type: z.literal('Podcast'), properties: z.strictObject({ title: idSchema }) }),
  z.strictObject({
    id: idSchema,
    type: z.literal('Episode'),
    properties: z.strictObject({
      podcast_id: idSchema,
      title: idSchema,
      publish_date: idSchema,
      duration_ms: z.number().int().min(0),
      feed_id: z.string(),
    }),
  }),
  z.strictObject({
    id: idSchema,
    type: z.literal('Person'),
    properties: z.strictObject({
      name: idSchema,
      role: z.enum(['host', 'guest', 'mentioned']),
      description: descriptionSchema,
    }),
  }),
  z.strictObject({
    id: idSchema,
    type: z.literal('Organization'),
    properties: z.strictObject({ name: idSchema, role: z.literal('mentioned'), description: descriptionSchema }),
  }),
  z.strictObject({
    id: idSchema,
    type: z.literal('Topic'),
    properties: z.strictObject({ label: idSchema, slug: idSchema, description: descriptionSchema }),
  }),
]);
type KgNode = z.infer<typeof nodeSchema>;

const edgeSchema = z.strictObject({
  type: z.enum(['MENTIONS', 'RELATED_TO', 'HAS_EPISODE', 'HOSTS', 'GUESTS_ON']),
  from: idSchema,
  to: idSchema,
  properties: z.strictObject({ relation: z.string() }).optional(),
});
type KgEdge = z.infer<typeof edgeSchema>;

/** `graph.kg.json`: what we write of the KG schema 2.0, whose JSON Schema every such artifact satisfies too. */
export const kgArtifactSchema = z.strictObject({
  schema_version: z.literal('2.0'),
  episode_id: idSchema,
  extraction: z.strictObject({
    model_version: z.union([z.literal('metadata_only'), z.string().regex(/^provider:.+/)]),
    extracted_at: idSchema,
    transcript_ref: idSchema,
  }),
  nodes: z.array(nodeSchema),
  edges: z.array(edgeSchema),
});
export type KgArtifact = z.infer<typeof kgArtifactSchema>;

export interface KgContent {
  readonly episode: Episode;
  readonly durationSec: number;
  readonly facts: KgFacts;
  /** `metadata_only`, or `provider:<model>`. */
  readonly modelVersion: string;
  /** ISO 8601. */
  readonly extractedAt: string;
  /** Default `kgCaps`. */
  readonly caps?: KgCaps | undefined;
}

/** Builds the graph within its caps: one node a slug, hosts and guests before those who are only mentioned. */
export function buildKgArtifact(content: KgContent): KgArtifact {
  const frame = episodeFrame(content.episode, content.durationSec);
  const found = cappedNodes(content.facts, content.caps ?? kgCaps);
  const podcast = podcastId(content.episode);
  const edges: KgEdge[] = [frame.edge];
  for (const node of found) {
    edges.push({ type: 'MENTIONS', from: node.id, to: frame.nodes[1].id });
    const role = node.type === 'Person' ? node.properties.role : undefined;
    if (role === 'host') edges.push({ type: 'HOSTS', from: node.id, to: podcast });
    if (role === 'guest') edges.push({ type: 'GUESTS_ON', from: node.id, to: podcast });
  }
  return {
    schema_version: '2.0',
    episode_id: content.episode.episodeId,
    extraction: {
      model_version: content.modelVersion,
      extracted_at: content.extractedAt,
      transcript_ref: 'transcript.json',
    },
    nodes: [...frame.nodes, ...found],
    edges: [...edges, ...relationEdges(content.facts, found)],
  };
}

/** What is known without any model: those who were heard by name, then those the feed names. */
export function metadataFacts(episode: Episode, speakers: readonly SpeakerName[]): KgFacts {
  const listed = episode.people.map(({ name, role }): KgPerson => {
    const known = role?.toLowerCase();
    return { name, role: known === 'host' || known === 'guest' ? known : 'mentioned' };
  });
  return { people: [...speakers, ...listed], organizations: [], topics: [], relations: [] };
}

/** The node ids of all `names` in `facts`: people, organisations, topics. */
function cappedNodes(facts: KgFacts, caps: KgCaps): KgNode[] {
  const rank = { host: 0, guest: 1, mentioned: 2 } as const;
  const people = [...facts.people].sort((a, b) => rank[a.role] - rank[b.role]);
  const spoken = people.filter((person) => person.role !== 'mentioned').map(personNode);
  const mentionedPeople = people.filter((person) => person.role === 'mentioned').map(personNode);
  const organizations = facts.organizations.map((one): KgNode => ({
    id: organizationId(one.name),
    type: 'Organization',
    properties: { name: one.name, role: 'mentioned', ...described(one.description) },
  }));
  const topics = facts.topics.map(({ label, description }): KgNode => ({
    id: topicId(label),
    type: 'Topic',
    properties: { label, slug: slugOf(label), ...described(description) },
  }));
  const entities = [...spoken, ...interleave([mentionedPeople, organizations])];
  return [...firstOfEach(entities).slice(0, caps.entities), ...firstOfEach(topics).slice(0, caps.topics)];
}

function personNode({ name, role, description }: KgPerson): KgNode {
  return { id: personId(name), type: 'Person', properties: { name, role, ...described(description) } };
}

function described(description: string | undefined): { description?: string } {
  return description === undefined || description === '' ? {} : { description: description.slice(0, 4000) };
}

function firstOfEach(nodes: readonly KgNode[]): KgNode[] {
  return nodes.filter((node, index) => nodes.findIndex((other) => other.id === node.id) === index);
}

function relationEdges(facts: KgFacts, nodes: readonly KgNode[]): KgEdge[] {
  // Of a person, an organisation and a topic of one name, the first in this order is meant.
  const idBySlug = new Map(nodes.toReversed().map((node) => [node.id.slice(node.id.indexOf(':') + 1), node.id]));
  const edges = new Map<string, KgEdge>();
  for (const { from, to, relation } of facts.relations) {
    const fromId = idBySlug.get(slugOf(from));
    const toId = idBySlug.get(slugOf(to));
    if (fromId === undefined || toId === undefined || fromId === toId) continue;
    edges.set(`${fromId} ${toId} ${relation}`, {
      type: 'RELATED_TO',
      from: fromId,
      to: toId,
      properties: { relation },
    });
  }
  return [...edges.values()];
}
