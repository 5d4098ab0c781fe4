import type { RssFeed } from 'feedsmith';
import { parseRssFeed } from 'feedsmith';
import { nameContent } from '../source/name-content.js';
import { contentError } from '../source/source-error.js';

/** An item as the feed gives it: addresses not yet resolved, identity not yet settled. */
export interface FeedItem {
  /** Counted from 1, as people do. */
  readonly position: number;
  readonly title: string;
  readonly guid: string | undefined;
  readonly description: string | undefined;
  /** ISO 8601 where the feed's date can be read, else as written. */
  readonly publishedAt: string | undefined;
  /** First enclosure that may be audio, as written. */
  readonly enclosureUrl: string | undefined;
  readonly people: readonly { readonly name: string; readonly role?: string }[];
}

export interface Feed {
  readonly title: string;
  readonly link: string | undefined;
  readonly podcastGuid: string | undefined;
  readonly items: readonly FeedItem[];
}

type Channel = RssFeed.Feed<string>;
type Item = RssFeed.Item<string>;

/**
 * Reads an RSS 2.0 feed, leniently (undeclared entities, stray tags).
 *
 * @throws SourceError of kind `content` naming what came instead of a feed, never showing it; `place` says from where
 */
export function parseFeed(text: string, place: string): Feed {
  // A cut download still parses; the episodes past the cut would be missing without a word.
  const cut = /<rss[\s>]/i.test(text) && !/<\/rss\s*>\s*(?:<!--[\s\S]*?-->\s*)*$/i.test(text);
  const feed = cut ? undefined : tryParse(text);
  if (feed === undefined) throw notAFeed(nameContent(text), place);
  const channelPeople = peopleOf(feed);
  return {
    title: cleaned(feed.title) ?? 'Untitled podcast',
    link: cleaned(feed.link),
    podcastGuid: cleaned(feed.podcast?.guid),
    items: (feed.items ?? []).map((item, index) => itemOf(item, index + 1, channelPeople)),
  };
}

function notAFeed(content: string, place: string): Error {
  const what = content === 'an RSS feed' ? 'damaged or cut off in the middle' : `not an RSS feed: it is ${content}`;
  return contentError('NOT_A_FEED', `${place} is ${what}.`);
}

function tryParse(text: string): Channel | undefined {
  try {
    return parseRssFeed(text);
  } catch {
    return undefined; // whatever it stumbled over, `nameContent` says more
  }
}

function itemOf(item: Item, position: number, channelPeople: FeedItem['people']): FeedItem {
  const people = peopleOf(item);
  return {
    position,
    title: (cleaned(item.title) ?? cleaned(item.itunes?.title) ?? 'Untitled').slice(0, 500),
    guid: cleaned(item.guid?.value),
    description: cleaned(item.description) ?? cleaned(item.content?.encoded),
    publishedAt: isoDate(cleaned(item.pubDate)),
    enclosureUrl: enclosureOf(item),
    people: people.length > 0 ? people : channelPeople,
  };
}

function enclosureOf(item: Item): string | undefined {
  const named = (item.enclosures ?? []).filter((enclosure) => cleaned(enclosure.url) !== undefined);
  const audio = named.find((enclosure) => enclosure.type?.startsWith('audio/'));
  // Types are often wrong (`application/octet-stream`): anything but a picture may be the audio; its bytes decide.
  const other = named.find((enclosure) => !enclosure.type?.startsWith('image/'));
  return cleaned((audio ?? other)?.url);
}

function peopleOf(source: Channel | Item): { name: string; role?: string }[] {
  const persons = (source.podcast?.persons ?? []).flatMap((person) => {
    const name = cleaned(person.display);
    if (name === undefined) return [];
    return [person.role === undefined ? { name } : { name, role: person.role }];
  });
  const author = cleaned(source.itunes?.author);
  const known = author === undefined || persons.some((person) => person.name === author);
  return known ? persons : [...persons, { name: author, role: 'author' }];
}

function cleaned(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}

function isoDate(date: string | undefined): string | undefined {
  const atMs = Date.parse(date ?? '');
  return Number.isNaN(atMs) ? date : new Date(atMs).toISOString();
}
