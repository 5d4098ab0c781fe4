import { z } from 'zod';
import type { Episode } from './episode.js';
import { episodeFrame, personId } from './graph-ids.js';
import type { LocatedQuote } from './grounding.js';
import type { SpeakerName } from './speaker-names.js';
import type { Transcript } from './transcript.js';

export const insightTypes = ['claim', 'recommendation', 'observation', 'question', 'unknown'] as const;
export type InsightType = (typeof insightTypes)[number];

/** One takeaway before it becomes nodes: grounded exactly when it has quotes. */
export interface Insight {
  readonly text: string;
  readonly type: InsightType;
  /** Value gate: 0 filler, 1 minor, 2 useful, 3 core; undefined where no gate ran. */
  readonly tier?: number;
  readonly quotes: readonly LocatedQuote[];
}

const idSchema = z.string().min(1);
const textSchema = z.string().min(1);
const msSchema = z.number().int().min(0);
const voiceSchema = z.enum(['person', 'unidentified']);

const nodeSchema = z.discriminatedUnion('type', [
  z.strictObject({ id: idSchema, type: z.literal('Podcast'), properties: z.strictObject({ title: textSchema }) }),
  z.strictObject({
    id: idSchema,
    type: z.literal('Episode'),
    properties: z.strictObject({
      podcast_id: idSchema,
      title: textSchema,
      publish_date: textSchema,
      duration_ms: msSchema,
      feed_id: z.string(),
    }),
  }),
  z.strictObject({ id: idSchema, type: z.literal('Person'), properties: z.strictObject({ name: textSchema }) }),
  z.strictObject({
    id: idSchema,
    type: z.literal('Insight'),
    properties: z.strictObject({
      text: textSchema,
      episode_id: idSchema,
      grounded: z.boolean(),
      insight_type: z.enum(insightTypes),
      position_hint: z.number().min(0).max(1),
      speaker: z.string().optional(),
      speaker_voice_type: voiceSchema.optional(),
      surfaceable: z.boolean(),
      tier: z.number().int().min(0).max(3).optional(),
      rank: z.number().min(0),
    }),
  }),
  z.strictObject({
    id: idSchema,
    type: z.literal('Quote'),
    properties: z.strictObject({
      text: textSchema,
      episode_id: idSchema,
      speaker_id: z.string().nullable(),
      char_start: msSchema,
      char_end: msSchema,
      timestamp_start_ms: msSchema,
      timestamp_end_ms: msSchema,
      transcript_ref: textSchema,
      speaker_voice_type: z.literal('unidentified').optional(),
      speaker_name: z.string().optional(),
    }),
  }),
]);
type GiNode = z.infer<typeof nodeSchema>;

const edgeSchema = z.strictObject({
  type: z.enum(['HAS_EPISODE', 'HAS_INSIGHT', 'SUPPORTED_BY', 'SPOKEN_BY', 'SPOKE_IN']),
  from: idSchema,
  to: idSchema,
});
type GiEdge = z.infer<typeof edgeSchema>;

/** `insights.gi.json`: what we write of the GI schema 3.1, whose JSON Schema every such artifact satisfies too. */
export const giArtifactSchema = z.strictObject({
  schema_version: z.literal('3.1'),
  model_version: textSchema,
  prompt_version: textSchema,
  episode_id: idSchema,
  nodes: z.array(nodeSchema),
  edges: z.array(edgeSchema),
});
export type GiArtifact = z.infer<typeof giArtifactSchema>;

export interface GiContent {
  readonly episode: Episode;
  readonly transcript: Transcript;
  /** Best first. */
  readonly insights: readonly Insight[];
  readonly speakers: readonly SpeakerName[];
  readonly modelVersion: string;
  readonly promptVersion: string;
}

/** How many insights an episode may have: one a minute, at least 12, at most 50. */
export function insightCap(durationSec: number): number {
  return Math.min(50, Math.max(12, Math.round(durationSec / 60)));
}

/** Builds the artifact. A quote is one node however many insights it supports; voices without a name stay `SPEAKER_nn`. */
export function buildGiArtifact(content: GiContent): GiArtifact {
  const frame = episodeFrame(content.episode, content.transcript.durationSec);
  const [, episodeNode] = frame.nodes;
  const nodes = new Map<string, GiNode>(frame.nodes.map((node) => [node.id, node]));
  const edges = new Map<string, GiEdge>();
  const join = (edge: GiEdge): void => void edges.set(`${edge.type} ${edge.from} ${edge.to}`, edge);
  join(frame.edge);
  for (const [rank, insight] of content.insights.entries()) {
    const insightNode = insightNodeOf(content, insight, rank);
    nodes.set(insightNode.id, insightNode);
    join({ type: 'HAS_INSIGHT', from: episodeNode.id, to: insightNode.id });
    for (const quote of insight.quotes) {
      const quoteNode = quoteNodeOf(content, quote);
      nodes.set(quoteNode.id, quoteNode);
      join({ type: 'SUPPORTED_BY', from: insightNode.id, to: quoteNode.id });
      const name = nameOf(content, quote);
      if (name === undefined) continue;
      nodes.set(personId(name), { id: personId(name), type: 'Person', properties: { name } });
      join({ type: 'SPOKEN_BY', from: quoteNode.id, to: personId(name) });
      join({ type: 'SPOKE_IN', from: personId(name), to: episodeNode.id });
    }
  }
  return {
    schema_version: '3.1',
    model_version: content.modelVersion,
    prompt_version: content.promptVersion,
    episode_id: content.episode.episodeId,
    nodes: [...nodes.values()],
    edges: [...edges.values()],
  };
}

function insightNodeOf(content: GiContent, insight: Insight, rank: number): GiNode {
  const first = insight.quotes[0];
  const name = first === undefined ? undefined : nameOf(content, first);
  const speaker = name ?? first?.speaker;
  return {
    id: `insight:${content.episode.episodeId}:${rank + 1}`,
    type: 'Insight',
    properties: {
      text: insight.text,
      episode_id: content.episode.episodeId,
      grounded: first !== undefined,
      insight_type: insight.type,
      position_hint: positionOf(insight, content.transcript.durationSec),
      ...(speaker === undefined ? {} : { speaker }),
      ...(first === undefined ? {} : { speaker_voice_type: name === undefined ? 'unidentified' : 'person' }),
      surfaceable: name !== undefined,
      ...(insight.tier === undefined ? {} : { tier: insight.tier }),
      rank,
    },
  };
}

function quoteNodeOf(content: GiContent, quote: LocatedQuote): GiNode {
  const { episodeId } = content.episode;
  const name = nameOf(content, quote);
  const unnamed = quote.speaker === undefined ? {} : { speaker_name: quote.speaker };
  return {
    id: `quote:${episodeId}:${quote.charStart}-${quote.charEnd}`,
    type: 'Quote',
    properties: {
      text: quote.text,
      episode_id: episodeId,
      speaker_id: name === undefined ? null : personId(name),
      char_start: quote.charStart,
      char_end: quote.charEnd,
      timestamp_start_ms: Math.round(quote.startSec * 1000),
      timestamp_end_ms: Math.round(quote.endSec * 1000),
      transcript_ref: 'transcript.json',
      ...(name === undefined ? { speaker_voice_type: 'unidentified' as const, ...unnamed } : {}),
    },
  };
}

function nameOf(content: GiContent, quote: LocatedQuote): string | undefined {
  return content.speakers.find((one) => one.speaker === quote.speaker)?.name;
}

/** Where in the episode it belongs, 0..1: the mean start of its quotes; the middle when it has none. */
function positionOf(insight: Insight, durationSec: number): number {
  if (insight.quotes.length === 0 || durationSec <= 0) return 0.5;
  const meanSec = insight.quotes.reduce((sum, quote) => sum + quote.startSec, 0) / insight.quotes.length;
  return Math.min(1, Math.max(0, Math.round((meanSec / durationSec) * 10_000) / 10_000));
}
