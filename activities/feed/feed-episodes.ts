import type { Episode } from '../../src/episode.js';
import { episodeIdOf, feedIdOf, identityText } from '../../src/episode-id.js';
import { sha256Of } from '../store/digest.js';
import type { Feed, FeedItem } from './parse-feed.js';
import type { FeedBase } from './read-feed.js';
import { resolveEnclosure } from './read-feed.js';

/**
 * A feed's items as episodes, in its order, ids unique. Items that two or more share an identity with are all refused:
 * which of them an id meant would change with their order from run to run.
 */
export function feedEpisodes(feed: Feed, base: FeedBase): Episode[] {
  const feedId = feedIdOf(feed, sha256Of);
  const ids = feed.items.map((item) => episodeIdOf(item, sha256Of));
  const identities = feed.items.map(identityText);
  const byIdentity = positionsOf(identities);
  const byId = positionsOf(ids);
  const taken = new Set(ids);
  return feed.items.map((item, index) => {
    const id = ids[index] ?? ''; // one for each item
    const sameIdentity = byIdentity.get(identities[index] ?? '') ?? [];
    const positions = sameIdentity.length > 1 ? sameIdentity : (byId.get(id) ?? []);
    const shared = positions.length > 1;
    const refused = shared ? sharedIdentity(item, positions) : undefined;
    return episodeOf(item, {
      feedId,
      feedTitle: feed.title,
      episodeId: shared ? unusedId(`${id}-item-${item.position}`, taken) : id,
      ...audioOf(item, base),
      ...(refused === undefined ? {} : { refused }),
    });
  });
}

type Settled = Pick<Episode, 'feedId' | 'feedTitle' | 'episodeId' | 'audioUrl' | 'refused'>;

function episodeOf(item: FeedItem, settled: Settled): Episode {
  return {
    ...settled,
    title: item.title,
    ...(item.guid === undefined ? {} : { guid: item.guid }),
    ...(item.description === undefined ? {} : { description: item.description }),
    ...(item.publishedAt === undefined ? {} : { publishedAt: item.publishedAt }),
    people: [...item.people],
  };
}

function audioOf(item: FeedItem, base: FeedBase): Pick<Episode, 'audioUrl' | 'refused'> {
  if (item.enclosureUrl === undefined) return { refused: 'The item has no audio enclosure.' };
  const audioUrl = resolveEnclosure(item.enclosureUrl, base);
  if (audioUrl !== undefined) return { audioUrl };
  const allowed = 'url' in base ? 'an http or https address' : 'an http or https address or a file';
  return { refused: `The item's enclosure is not ${allowed}, so it is not opened.` };
}

function sharedIdentity(item: FeedItem, positions: readonly number[]): string {
  const what = item.guid === undefined ? 'have no GUID and share title and date' : 'share one GUID';
  return `Items ${positions.join(', ')} of the feed ${what}, so they cannot be told apart.`;
}

function positionsOf(keys: readonly string[]): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  keys.forEach((key, index) => {
    const known = positions.get(key);
    if (known === undefined) positions.set(key, [index + 1]);
    else known.push(index + 1);
  });
  return positions;
}

function unusedId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  while (taken.has(id)) id = `${id}-x`;
  taken.add(id);
  return id;
}
