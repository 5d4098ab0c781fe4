import { z } from 'zod';

/** One podcast item as a batch knows it. Kept in the artifact store: enclosure URLs may hold a subscriber's token. */
export const episodeSchema = z.strictObject({
  /** Unique in its feed, safe as a directory name; the feed's GUID where that is plain enough (`episode-id.ts`). */
  episodeId: z.string(),
  feedId: z.string(),
  feedTitle: z.string(),
  title: z.string(),
  guid: z.string().optional(),
  description: z.string().optional(),
  /** ISO 8601. */
  publishedAt: z.string().optional(),
  /** `http(s)` URL or absolute path; undefined when the item names no audio. */
  audioUrl: z.string().optional(),
  /** Absolute path of a copy that an earlier run fetched (batches from a corpus); used when it is still there. */
  audioCopy: z.string().optional(),
  /** Names that the feed gives (podcast:person, itunes:author). Hints only. */
  people: z.array(z.strictObject({ name: z.string(), role: z.string().optional() })),
  /** Why this item cannot be processed at all, e.g. two items share its GUID. */
  refused: z.string().optional(),
});
export type Episode = z.infer<typeof episodeSchema>;

/** What crosses Temporal of an episode. */
export const episodeRefSchema = z.strictObject({
  episodeId: z.string(),
  feedId: z.string(),
  title: z.string(),
  /** Digest and place of the `Episode` document. */
  document: z.strictObject({ uri: z.string(), sha256: z.string(), bytes: z.number() }),
});
export type EpisodeRef = z.infer<typeof episodeRefSchema>;
