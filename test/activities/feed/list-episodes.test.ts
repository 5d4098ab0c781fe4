import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { listEpisodes } from '../../../activities/feed/list-episodes.js';
import type { Selection } from '../../../activities/feed/select-episodes.js';
import type { Episode } from '../../../src/episode.js';
import { redirectTo, serve, useLoopbackServer } from '../../support/loopback-server.js';
import type { RssItem } from '../../support/rss.js';
import { rss } from '../../support/rss.js';
import { useTemporaryDirectory } from '../../support/temporary-directory.js';

const sharedFeeds = path.join(__dirname, '..', '..', '..', '..', 'shared', 'data', 'feeds');
const cancellation = new AbortController().signal;

describe('listEpisodes', () => {
  const directory = useTemporaryDirectory();
  const server = useLoopbackServer();

  const list = (feed: string, selection: Selection = {}): Promise<readonly Episode[]> =>
    listEpisodes({ feed }, selection, { cancellation });
  const failure = async (feed: string, selection: Selection = {}): Promise<unknown> =>
    list(feed, selection).then(
      () => 'no error',
      (error: unknown) => error,
    );
  const listItems = (items: readonly RssItem[], selection: Selection = {}): Promise<readonly Episode[]> => {
    server.routes.set('/feed.xml', serve(rss(items), 'application/rss+xml'));
    return list(server.url('/feed.xml'), selection);
  };

  describe('ids', () => {
    it('takes a plain GUID as it is and makes any other safe, the same in every run', async () => {
      const guids = ['e01', 'CON', 'con', 'nul.mp3', 'ends.', 'http://x/1?a=b', '../../etc', 'E01', 'x'.repeat(65)];
      const items = guids.map((guid) => ({ title: 'Ünïcode: 你好 / "Title" 🌍', guid, url: '/a.mp3' }));

      const ids = (await listItems(items)).map((episode) => episode.episodeId);

      expect(ids[0]).toBe('e01');
      expect(new Set(ids.map((id) => id.toLowerCase())).size).toBe(guids.length);
      for (const id of ids.slice(1)) expect(id).toMatch(/^unicode-title-[0-9a-f]{8}$/);
      expect((await listItems(items)).map((episode) => episode.episodeId)).toEqual(ids);
    });

    it('keeps very long and wordless titles short and unique', async () => {
      const items = [{ title: 'very long '.repeat(60) }, { title: '你好' }, { title: '🌍' }, { guid: 'No Title' }];

      const ids = (await listItems(items)).map((episode) => episode.episodeId);

      expect(new Set(ids).size).toBe(4);
      for (const id of ids) expect(id).toMatch(/^[a-z0-9][a-z0-9-]{7,63}$/);
    });

    it('identifies an item without GUID by title and date, never by a URL that changes daily', async () => {
      const item = { title: 'One', more: '<pubDate>Mon, 01 Sep 2025 07:00:00 +0000</pubDate>' };

      const [today] = await listItems([{ ...item, url: '/a.mp3?token=1' }]);
      const [tomorrow] = await listItems([{ ...item, url: '/a.mp3?token=2' }]);

      expect(today?.episodeId).toMatch(/^one-[0-9a-f]{8}$/);
      expect(tomorrow?.episodeId).toBe(today?.episodeId);
    });

    it('refuses every item that shares a GUID, naming their positions, and goes on with the rest', async () => {
      const episodes = await listItems([
        { title: 'A', guid: 'same', url: '/a.mp3' },
        { title: 'B', guid: 'other', url: '/b.mp3' },
        { title: 'C', guid: 'same', url: '/c.mp3' },
        { title: 'D', guid: 'Same Too', url: '/d.mp3' },
        { title: 'E', guid: 'Same Too', url: '/e.mp3' },
      ]);

      expect(episodes.map((episode) => episode.refused ?? 'fine')).toEqual([
        'Items 1, 3 of the feed share one GUID, so they cannot be told apart.',
        'fine',
        'Items 1, 3 of the feed share one GUID, so they cannot be told apart.',
        'Items 4, 5 of the feed share one GUID, so they cannot be told apart.',
        'Items 4, 5 of the feed share one GUID, so they cannot be told apart.',
      ]);
      expect(new Set(episodes.map((episode) => episode.episodeId)).size).toBe(5);
    });

    it('gives a feed one id wherever it was fetched from', async () => {
      const text = rss([{ title: 'A', guid: 'a', url: 'a.mp3' }]);
      server.routes.set('/feed.xml', serve(text));
      const file = path.join(directory(), 'mirror.xml');
      await writeFile(file, text);

      const [fromWeb] = await list(server.url('/feed.xml'));
      const [fromFile] = await list(file);

      expect(fromWeb?.feedId).toMatch(/^my-show-[0-9a-f]{6}$/);
      expect(fromFile?.feedId).toBe(fromWeb?.feedId);
    });
  });

  describe('enclosures', () => {
    it('resolves relative addresses against where the feed was at last', async () => {
      server.routes.set('/old.xml', redirectTo('/shows/feed.xml'));
      server.routes.set('/shows/feed.xml', serve(rss([{ url: 'a.mp3' }, { title: 'B', url: ' /b.mp3 ' }])));

      const episodes = await list(server.url('/old.xml'));

      expect(episodes.map((episode) => episode.audioUrl)).toEqual([server.url('/shows/a.mp3'), server.url('/b.mp3')]);
    });

    it('resolves relative addresses of a local feed against its folder', async () => {
      const file = path.join(directory(), 'feed.xml');
      const urls = ['audio/a%20b.mp3', '/audio/c.mp3', '../d.mp3', 'https://x.example/e.mp3', 'file:///f.mp3'];
      await writeFile(file, rss(urls.map((url, index) => ({ title: `T${index}`, url }))));

      const episodes = await list(file);

      expect(episodes.map((episode) => episode.audioUrl)).toEqual([
        path.join(directory(), 'audio', 'a b.mp3'),
        path.join(directory(), 'audio', 'c.mp3'),
        path.join(directory(), '..', 'd.mp3'),
        'https://x.example/e.mp3',
        '/f.mp3',
      ]);
    });

    it('takes a local file by the name as it is written, where there is one', async () => {
      const names = ['Talk #1.mp3', '100%.mp3', 'who?.mp3'];
      for (const name of names) await writeFile(path.join(directory(), name), 'x');
      const file = path.join(directory(), 'feed.xml');
      await writeFile(file, rss(names.map((url, index) => ({ title: `T${index}`, url }))));

      expect((await list(file)).map((episode) => path.basename(episode.audioUrl ?? ''))).toEqual(names);
    });

    it('refuses an item of a feed from the web that names a local file', async () => {
      const [episode] = await listItems([{ title: 'A', url: 'file:///etc/passwd' }]);

      expect(episode).toMatchObject({
        refused: "The item's enclosure is not an http or https address, so it is not opened.",
      });
      expect(episode?.audioUrl).toBeUndefined();
    });

    it('refuses an item without an enclosure, or with a picture only', async () => {
      const picture = '<enclosure url="/cover.jpg" type="image/jpeg" length="1"/>';

      const episodes = await listItems([{ title: 'A' }, { title: 'B', more: picture }, { title: 'C', url: '/c.mp3' }]);

      expect(episodes.map((episode) => episode.refused)).toEqual([
        'The item has no audio enclosure.',
        'The item has no audio enclosure.',
        undefined,
      ]);
    });
  });

  describe('selection', () => {
    const items = ['One', 'Two', 'Three'].map((title) => ({ title, guid: `http://x/${title}`, url: '/a.mp3' }));

    it('takes ids and GUIDs, in the order of the feed', async () => {
      const all = await listItems(items);

      const some = await listItems(items, { only: ['http://x/Three', all[0]?.episodeId ?? ''] });

      expect(some.map((episode) => episode.title)).toEqual(['One', 'Three']);
    });

    it('takes at most limit, from the top', async () => {
      expect((await listItems(items, { limit: 2 })).map((episode) => episode.title)).toEqual(['One', 'Two']);
    });

    it('names what the feed does not have, and the nearest that it has', async () => {
      server.routes.set('/feed.xml', serve(rss(items)));

      const error = await failure(server.url('/feed.xml'), { only: ['http://x/Threee', 'qqq'] });

      expect(error).toMatchObject({ kind: 'content', code: 'UNKNOWN_EPISODE' });
      expect(String(error)).toContain('"http://x/Threee"; did you mean "http://x/Three"?');
      expect(String(error)).toContain('"qqq"');
    });

    it('refuses an episode named twice, by whatever name', async () => {
      const [first] = await listItems(items);

      const error = await failure(server.url('/feed.xml'), { only: ['http://x/One', first?.episodeId ?? ''] });

      expect(error).toMatchObject({ code: 'DUPLICATE_EPISODE' });
      expect(String(error)).toContain('which are one episode');
    });
  });

  it('refuses a feed with no episodes', async () => {
    server.routes.set('/feed.xml', serve(rss([])));

    expect(await failure(server.url('/feed.xml'))).toMatchObject({ kind: 'content', code: 'EMPTY_FEED' });
  });

  describe('audio files', () => {
    const listAudio = (audio: string[]): Promise<readonly Episode[]> => listEpisodes({ audio }, {}, { cancellation });

    it('names episodes by file, keeps apart what would be equal, and refuses what is missing', async () => {
      await mkdir(path.join(directory(), 'sub'));
      const files = ['ep1.mp3', 'sub/EP1.wav', 'My Talk 你.mp3', '你好.mp3', 'gone.mp3', 'sub'];
      const paths = files.map((file) => path.join(directory(), file));
      for (const file of paths.slice(0, 4)) await writeFile(file, 'x');

      const episodes = await listAudio(paths);

      expect(episodes.map((episode) => episode.episodeId.replace(/[0-9a-f]{6,8}$/, '#'))).toEqual([
        'ep1-#',
        'ep1-#',
        'my-talk',
        'audio-#',
        'gone',
        'sub',
      ]);
      expect(new Set(episodes.map((episode) => episode.episodeId)).size).toBe(6);
      expect(episodes.map((episode) => episode.refused?.replace(directory(), '')).slice(3)).toEqual([
        undefined,
        '/gone.mp3: there is no such file.',
        '/sub is not a file.',
      ]);
      expect(episodes[0]).toMatchObject({ feedId: 'audio-files', title: 'ep1', audioUrl: paths[0] });
    });

    it('is an error when none exists, or one is given twice', async () => {
      const file = path.join(directory(), 'a.mp3');
      await expect(listAudio([file])).rejects.toMatchObject({ kind: 'content', code: 'NO_AUDIO' });
      await writeFile(file, 'x');
      await expect(listAudio([file, file])).rejects.toMatchObject({ kind: 'content', code: 'DUPLICATE_FILE' });
    });
  });

  const present = existsSync(sharedFeeds);
  (present ? describe : describe.skip)(`feeds of shared/data${present ? '' : ' (skipped: not there)'}`, () => {
    it('reads the five episodes of p01_multi.xml with people and dates', async () => {
      server.routes.set('/p01_multi.xml', serve(await readFile(path.join(sharedFeeds, 'p01_multi.xml'))));

      const episodes = await list(server.url('/p01_multi.xml'));

      expect(episodes.map((episode) => episode.episodeId)).toEqual([1, 2, 3, 4, 5].map((n) => `p01_multi_e0${n}`));
      expect(episodes[0]).toMatchObject({
        publishedAt: '2025-09-01T07:00:00.000Z',
        people: [{ name: 'Maya Koster', role: 'author' }],
        audioUrl: server.url('/audio/p01_multi_e01.mp3'),
      });
    });

    it('reads the six edge cases of p06_edge_cases.xml', async () => {
      server.routes.set('/p06_edge_cases.xml', serve(await readFile(path.join(sharedFeeds, 'p06_edge_cases.xml'))));

      const episodes = await list(server.url('/p06_edge_cases.xml'));

      expect(episodes.map((episode) => episode.refused)).toEqual(Array(6).fill(undefined));
      expect(episodes[1]?.title).toBe('Episode 2: Unicode: 你好世界 🌍 Café résumé naïve');
      expect(episodes[5]?.audioUrl).toBe(server.url('/audio/p06_e06.mp3'));
    });
  });
});
