import type { Episode } from './episode.js';

/** Ids that GI and KG artifacts share, so that their graphs can be joined over a whole corpus (RFC-097). */

/** Lower-case letters and digits of any script, joined by hyphens; `unknown` when nothing is left. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}+/gu, '');
  const slug = plain
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'unknown' : slug;
}

export function personId(name: string): string {
  return `person:${slugOf(name)}`;
}

export function organizationId(name: string): string {
  return `org:${slugOf(name)}`;
}

export function topicId(label: string): string {
  return `topic:${slugOf(label)}`;
}

export function podcastId(episode: Episode): string {
  return `podcast:${slugOf(episode.feedId)}`;
}

export function episodeNodeId(episode: Episode): string {
  return `episode:${episode.episodeId}`;
}

/** Both schemas want a date of every episode; this one means that the feed gives none. */
const unknownPublishDate = '1970-01-01T00:00:00Z';

/** The podcast's and the episode's own nodes and the edge between them. The enclosure's URL is left out: it may hold a subscriber's token. */
export function episodeFrame(episode: Episode, durationSec: number): EpisodeFrame {
  const podcast = {
    id: podcastId(episode),
    type: 'Podcast' as const,
    properties: { title: episode.feedTitle.trim() === '' ? episode.feedId : episode.feedTitle },
  };
  const node = {
    id: episodeNodeId(episode),
    type: 'Episode' as const,
    properties: {
      podcast_id: podcast.id,
      title: episode.title.trim() === '' ? episode.episodeId : episode.title,
      publish_date: publishDate(episode.publishedAt),
      duration_ms: Math.round(durationSec * 1000),
      feed_id: episode.feedId,
    },
  };
  return { nodes: [podcast, node], edge: { type: 'HAS_EPISODE', from: podcast.id, to: node.id } };
}

function publishDate(publishedAt: string | undefined): string {
  const publishedAtMs = Date.parse(publishedAt ?? '');
  return Number.isNaN(publishedAtMs) ? unknownPublishDate : new Date(publishedAtMs).toISOString();
}

interface EpisodeFrame {
  readonly nodes: [
    { id: string; type: 'Podcast'; properties: { title: string } },
    {
      id: string;
      type: 'Episode';
      properties: { podcast_id: string; title: string; publish_date: string; duration_ms: number; feed_id: string };
    },
  ];
  readonly edge: { type: 'HAS_EPISODE'; from: string; to: string };
}
