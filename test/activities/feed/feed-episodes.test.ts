import fc from 'fast-check';
import { feedEpisodes } from '../../../activities/feed/feed-episodes.js';
import type { FeedItem } from '../../../activities/feed/parse-feed.js';

const anyItem = fc.record({
  title: fc.oneof(fc.constantFrom('News', 'news', '🌍', 'e1', 'e1-item-2'), fc.string({ unit: 'grapheme' })),
  guid: fc.option(fc.oneof(fc.constantFrom('e1', 'E1', 'e1-item-2', 'con'), fc.string()), { nil: undefined }),
  publishedAt: fc.option(fc.constantFrom('2025-01-01T00:00:00.000Z', 'someday'), { nil: undefined }),
  enclosureUrl: fc.option(fc.constantFrom('/a.mp3', 'file:///etc/passwd', 'http://'), { nil: undefined }),
});

describe('feedEpisodes', () => {
  it('gives every item of any feed an id of its own that is safe as a directory on every file system', () => {
    fc.assert(
      fc.property(fc.array(anyItem, { maxLength: 12 }), (given) => {
        const items = given.map((item, index): FeedItem => ({
          ...item,
          description: undefined,
          people: [],
          position: index + 1,
        }));
        const feed = { title: 'Show', link: undefined, podcastGuid: undefined, items };

        const episodes = feedEpisodes(feed, { url: 'http://show.example/feed.xml' });

        const ids = episodes.map(({ episodeId }) => episodeId);
        expect(new Set(ids).size).toBe(items.length);
        for (const id of ids) expect(id).toMatch(/^[a-z0-9][a-z0-9._-]*[a-z0-9_-]$|^[a-z0-9]$/);
        for (const { audioUrl, refused } of episodes) expect(audioUrl ?? refused).toMatch(/^http:|^The item|^Items /);
      }),
    );
  });
});
