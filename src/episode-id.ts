import { isPlainName, slugWithDigest } from './safe-name.js';

/** What an item of a feed says of itself. */
export interface ItemIdentity {
  readonly guid?: string | undefined;
  readonly title: string;
  /** As the feed writes it, or ISO 8601. */
  readonly publishedAt?: string | undefined;
}

/** sha256 of UTF-8 text as lower-case hex; an argument, because `src/` does no computing outside of the language. */
export type Sha256 = (text: string) => string;

/**
 * An episode's id, safe as a directory name on every file system: its GUID where that is plain, else the title's slug
 * with 8 hex digits of the GUID's digest, or of title and date where there is no GUID. Never the enclosure's URL, which
 * may carry a token that changes daily.
 */
export function episodeIdOf(item: ItemIdentity, sha256: Sha256): string {
  if (item.guid !== undefined && isPlainName(item.guid)) return item.guid;
  return slugWithDigest(item.title, sha256(identityText(item)).slice(0, 8));
}

/** What makes an item the same item in the next run; items of one feed that share it cannot be told apart. */
export function identityText(item: ItemIdentity): string {
  return item.guid === undefined ? JSON.stringify([item.title, item.publishedAt ?? '']) : item.guid;
}

/** What a feed says of itself. */
export interface FeedIdentity {
  readonly title: string;
  readonly podcastGuid?: string | undefined;
  readonly link?: string | undefined;
}

/**
 * A feed's id from its own words (`podcast:guid`, else link and title), not from where it was fetched: the same feed
 * from a mirror or a file is the same feed. The title's slug and 6 hex digits.
 */
export function feedIdOf(feed: FeedIdentity, sha256: Sha256): string {
  const identity = feed.podcastGuid ?? JSON.stringify([feed.link ?? '', feed.title]);
  return slugWithDigest(feed.title, sha256(identity).slice(0, 6));
}
