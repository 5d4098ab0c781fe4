import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FeedItem } from '../../../activities/feed/parse-feed.js';
import { defaultFeedLimits, readFeed } from '../../../activities/feed/read-feed.js';
import { redirectTo, serve, useLoopbackServer } from '../../support/loopback-server.js';
import { rss } from '../../support/rss.js';
import { useTemporaryDirectory } from '../../support/temporary-directory.js';

const cancellation = new AbortController().signal;

describe('readFeed', () => {
  const directory = useTemporaryDirectory();
  const server = useLoopbackServer();

  const read = async (feed: string): Promise<readonly FeedItem[]> =>
    (await readFeed(feed, { ...defaultFeedLimits, cancellation })).feed.items;
  const failure = async (feed: string): Promise<unknown> =>
    read(feed).then(
      () => 'no error',
      (error: unknown) => error,
    );

  describe('encodings', () => {
    const text = (encoding: string): string =>
      rss([{ title: 'Café naïve', guid: 'a', url: '/a.mp3' }]).replace('?>', ` encoding="${encoding}"?>`);

    it.each([
      ['UTF-8 with a mark', Buffer.from(`\uFEFF${text('utf-8')}`), 'text/xml; charset=iso-8859-1'],
      ['latin-1 by declaration', Buffer.from(text('ISO-8859-1'), 'latin1'), 'text/xml; charset=utf-8'],
      ['latin-1 by header', Buffer.from(rss([{ title: 'Café naïve' }]), 'latin1'), 'text/xml; charset="ISO-8859-1"'],
      ['latin-1 by nobody', Buffer.from(rss([{ title: 'Café naïve' }]), 'latin1'), 'application/rss+xml'],
      ['UTF-16 with a mark', Buffer.from(`\uFEFF${text('utf-16')}`, 'utf16le'), 'text/xml'],
      ['UTF-16 without a mark', Buffer.from(text('utf-16'), 'utf16le'), 'text/xml'],
      ['UTF-8 that says UTF-16', Buffer.from(text('utf-16')), 'text/xml'],
      ['an unknown encoding', Buffer.from(text('x-nobody-knows')), 'text/xml'],
      ['undeclared entities', Buffer.from(rss([{ title: 'Caf&eacute; na&iuml;ve' }])), 'text/xml'],
    ])('reads %s', async (_name, bytes, contentType) => {
      server.routes.set('/feed.xml', serve(bytes, contentType));

      expect((await read(server.url('/feed.xml')))[0]?.title).toBe('Café naïve');
    });

    it('reads on past a bad byte', async () => {
      const bytes = Buffer.from(text('utf-8').replace('naïve', 'na#ve'));
      bytes[bytes.indexOf('#')] = 0xff;
      server.routes.set('/feed.xml', serve(bytes));

      expect((await read(server.url('/feed.xml')))[0]?.title).toBe('Café na\uFFFDve');
    });

    it('reads a compressed feed', async () => {
      server.routes.set('/feed.xml', (_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text('utf-8')));
      });

      expect(await read(server.url('/feed.xml'))).toHaveLength(1);
    });
  });

  describe('what is not a feed', () => {
    it.each([
      ['empty', ''],
      ['an HTML page', '<!DOCTYPE html><html><body>secret login form</body></html>'],
      ['JSON', '{"error": "secret"}'],
      ['plain text', 'secret words'],
      ['an Atom feed', '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>secret</title></feed>'],
      ['XML of another kind', '<?xml version="1.0"?><opml><secret/></opml>'],
      ['cut off in the middle', rss([{ title: 'secret' }, { title: 'B' }]).slice(0, -30)],
    ])('is one clear error that says it is %s', async (kind, body) => {
      server.routes.set('/feed.xml', serve(body, 'application/rss+xml'));

      const error = await failure(server.url('/feed.xml'));

      expect(error).toMatchObject({ name: 'SourceError', kind: 'content', code: 'NOT_A_FEED' });
      expect(String(error)).toContain(kind);
      expect(String(error)).not.toContain('secret');
    });

    it('is a file that is not there, a folder, or an address of another kind', async () => {
      expect(await failure(path.join(directory(), 'none.xml'))).toMatchObject({ kind: 'content', code: 'ENOENT' });
      expect(await failure(directory())).toMatchObject({ kind: 'content', code: 'EISDIR' });
      expect(await failure('ftp://x.example/feed.xml')).toMatchObject({ kind: 'content', code: 'NOT_HTTP' });
    });

    it('is a feed beyond the size limit', async () => {
      server.routes.set('/feed.xml', serve(rss([{ title: 'x'.repeat(1000) }])));
      const limits = { deadlineMs: 10_000, maxBytes: 500 };

      await expect(readFeed(server.url('/feed.xml'), { ...limits, cancellation })).rejects.toMatchObject({
        kind: 'content',
        code: 'TOO_LARGE',
      });
    });
  });

  describe('network faults', () => {
    it.each([
      [404, 'content'],
      [410, 'content'],
      [403, 'content'],
      [429, 'transient'],
      [500, 'transient'],
      [503, 'transient'],
    ])('makes of status %i a %s error', async (status, kind) => {
      server.routes.set('/feed.xml', (_request, response) => {
        response.writeHead(status).end('secret');
      });

      expect(await failure(server.url('/feed.xml'))).toMatchObject({ kind, code: `HTTP_${status}` });
      expect(server.requests).toHaveLength(1);
    });

    it('makes of a refused connection, an unknown host and a cut body transient errors', async () => {
      server.routes.set('/cut.xml', (_request, response) => {
        response.writeHead(200, { 'content-length': 1000 }).write('<rss>');
        setTimeout(() => response.destroy(), 20);
      });

      expect(await failure('http://127.0.0.1:1/feed.xml')).toMatchObject({ kind: 'transient', code: 'ECONNREFUSED' });
      expect(await failure('http://nowhere.invalid/feed.xml')).toMatchObject({ kind: 'transient' });
      expect(await failure(server.url('/cut.xml'))).toMatchObject({ kind: 'transient', code: 'UND_ERR_SOCKET' });
    });

    it('gives up at its own deadline, over headers and body together', async () => {
      server.routes.set('/drip.xml', (_request, response) => {
        const drip = setInterval(() => response.write(' '), 20);
        response.on('close', () => {
          clearInterval(drip);
        });
      });
      const limits = { deadlineMs: 300, maxBytes: 1e6 };

      await expect(readFeed(server.url('/drip.xml'), { ...limits, cancellation })).rejects.toMatchObject({
        kind: 'transient',
        code: 'DEADLINE',
      });
    });

    it('passes cancellation on as it came', async () => {
      const reason = new Error('cancelled by Temporal');
      const controller = new AbortController();
      server.routes.set('/hang.xml', () => {
        controller.abort(reason);
      });

      await expect(
        readFeed(server.url('/hang.xml'), { ...defaultFeedLimits, cancellation: controller.signal }),
      ).rejects.toBe(reason);
    });

    it('follows 10 redirects, and no more', async () => {
      for (let hop = 1; hop <= 12; hop += 1) server.routes.set(`/${hop}`, redirectTo(`/${hop + 1}`));
      server.routes.set('/11', serve(rss([{ title: 'A' }])));
      expect(await read(server.url('/1'))).toHaveLength(1);

      server.routes.set('/11', redirectTo('/12'));
      server.routes.set('/12', serve(rss([{ title: 'A' }])));
      expect(await failure(server.url('/1'))).toMatchObject({ kind: 'content', code: 'TOO_MANY_REDIRECTS' });
    });

    it('refuses a redirect in a circle, and one to a local file', async () => {
      server.routes.set('/a', redirectTo('/b'));
      server.routes.set('/b', redirectTo('/a'));
      server.routes.set('/c', redirectTo('file:///etc/passwd'));

      expect(await failure(server.url('/a'))).toMatchObject({ kind: 'content', code: 'REDIRECT_LOOP' });
      expect(await failure(server.url('/c'))).toMatchObject({ kind: 'content', code: 'NOT_HTTP' });
    });

    it('sends the user name and password of an address', async () => {
      let sent: string | undefined;
      server.routes.set('/feed.xml', (request, response) => {
        sent = request.headers.authorization;
        response.end(rss([{ title: 'A' }]));
      });

      await read(server.url('/feed.xml').replace('//', '//me:p%40ss@'));

      expect(sent).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
    });

    it('shows neither token nor password of an address', async () => {
      const error = await failure(server.url('/private-token/feed.xml?auth=secret').replace('//', '//user:secret@'));

      expect(String(error)).toContain('/…/feed.xml answered 404');
      expect(String(error)).not.toMatch(/secret|private-token/);
    });
  });
});
