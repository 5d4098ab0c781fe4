import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { episodeIdOf, feedIdOf, identityText } from '../../src/episode-id.js';
import { isPlainName } from '../../src/safe-name.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('episodeIdOf', () => {
  it('is a plain name for any item, and the same every time', () => {
    const anyText = fc.string({ unit: 'grapheme', maxLength: 200 });
    fc.assert(
      fc.property(fc.option(anyText, { nil: undefined }), anyText, (guid, title) => {
        const id = episodeIdOf({ guid, title }, sha256);
        expect(isPlainName(id)).toBe(true);
        expect(episodeIdOf({ guid, title }, sha256)).toBe(id);
      }),
    );
  });

  it('tells items without GUID apart by title and date', () => {
    const ids = ['2025-01-01', '2025-01-02'].map((publishedAt) => episodeIdOf({ title: 'News', publishedAt }, sha256));

    expect(new Set(ids).size).toBe(2);
  });
});

describe('identityText', () => {
  it('is the GUID, whatever the title has become', () => {
    expect(identityText({ guid: 'g', title: 'Old' })).toBe(identityText({ guid: 'g', title: 'New' }));
  });
});

describe('feedIdOf', () => {
  it('goes by the podcast GUID, else by link and title', () => {
    const moved = { title: 'Show', podcastGuid: 'p', link: 'http://new.example' };

    expect(feedIdOf(moved, sha256)).toBe(feedIdOf({ ...moved, link: 'http://old.example' }, sha256));
    expect(feedIdOf({ title: 'Show', link: 'http://a.example' }, sha256)).not.toBe(
      feedIdOf({ title: 'Show', link: 'http://b.example' }, sha256),
    );
  });
});
