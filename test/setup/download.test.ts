import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { installDownload, installedDownload, parseDownload } from '../../setup/download.js';
import { serve, useLoopbackServer } from '../support/loopback-server.js';
import { useTemporaryDirectory } from '../support/temporary-directory.js';

const body = 'weights';
const sha256 = createHash('sha256').update(body).digest('hex');

describe('installDownload', () => {
  const directory = useTemporaryDirectory();
  const server = useLoopbackServer();
  const context = (): { env: Record<string, never>; cacheDir: string } => ({ env: {}, cacheDir: directory() });

  it('fetches a file into the cache under its own name', async () => {
    server.routes.set('/models/ggml-tiny.en.bin', serve(body));
    const file = await installDownload({ url: server.url('/models/ggml-tiny.en.bin'), sha256 }, context());
    expect(file.endsWith('/ggml-tiny.en.bin')).toBe(true);
    expect(fs.readFileSync(file, 'utf8')).toBe(body);
  });

  it('asks the server once only', async () => {
    server.routes.set('/model.bin', serve(body));
    const download = { url: server.url('/model.bin'), sha256 };
    const first = await installDownload(download, context());
    expect(installedDownload(download, context())).toBe(first);
    await installDownload(download, context());
    expect(server.requests).toHaveLength(1);
  });

  it('refuses a file with another digest and keeps nothing of it', async () => {
    server.routes.set('/model.bin', serve('tampered'));
    const download = { url: server.url('/model.bin'), sha256 };
    await expect(installDownload(download, context())).rejects.toThrow(`expected ${sha256}`);
    expect(installedDownload(download, context())).toBeUndefined();
  });

  it('tells the status of an answer that is no file', async () => {
    const download = { url: server.url('/absent.bin'), sha256 };
    await expect(installDownload(download, context())).rejects.toThrow(/127\.0\.0\.1:\d+\/absent\.bin: status 404/);
  });

  it('tells why there is no answer', async () => {
    const download = { url: 'http://127.0.0.1:1/model.bin', sha256 };
    await expect(installDownload(download, context())).rejects.toThrow(/download from 127\.0\.0\.1:1\/model\.bin: .+/);
  });
});

describe('parseDownload', () => {
  it('reads an address with its digest', () => {
    expect(parseDownload(`https://example.com/a.bin#sha256=${sha256}`)).toEqual({
      url: 'https://example.com/a.bin',
      sha256,
    });
  });

  it('takes a path for no address', () => {
    expect(parseDownload('/models/a.bin')).toBeUndefined();
  });

  it('refuses an address without a digest', () => {
    expect(() => parseDownload('https://example.com/a.bin')).toThrow('expected the address to end in #sha256=');
  });
});
