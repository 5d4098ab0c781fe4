import { readManifestPage, writeManifest } from '../../../activities/feed/manifest.js';
import { createFileArtifactStore } from '../../../activities/store/file-artifact-store.js';
import type { Episode } from '../../../src/episode.js';
import { episodeSchema } from '../../../src/episode.js';
import { useTemporaryDirectory } from '../../support/temporary-directory.js';

const cancellation = new AbortController().signal;

function episodes(count: number): Episode[] {
  return Array.from({ length: count }, (_, index) => ({
    episodeId: `e${index}`,
    feedId: 'feed',
    feedTitle: 'Feed',
    title: `Episode ${index} ${'🌍'.repeat(index === 0 ? 400 : 0)}`,
    audioUrl: `http://x.example/${index}.mp3?token=secret`,
    people: [],
  }));
}

describe('writeManifest', () => {
  const corpus = useTemporaryDirectory();

  it('lists every episode in pages that are read by offset and limit', async () => {
    const store = createFileArtifactStore(corpus());

    const { manifest, episodes: count } = await writeManifest(store, episodes(1203), { cancellation });

    const ids = async (offset: number, limit: number): Promise<string[]> =>
      (await readManifestPage(store, manifest, { offset, limit })).map((ref) => ref.episodeId);
    expect(count).toBe(1203);
    expect(await ids(0, 2)).toEqual(['e0', 'e1']);
    expect(await ids(499, 3)).toEqual(['e499', 'e500', 'e501']);
    expect(await ids(1200, 500)).toEqual(['e1200', 'e1201', 'e1202']);
    expect(await ids(1203, 10)).toEqual([]);
    expect((await ids(0, 5000)).length).toBe(1203);
  });

  it('keeps the whole episode in the store, and no address and no endless title in the reference', async () => {
    const store = createFileArtifactStore(corpus());
    const all = episodes(2);

    const { manifest } = await writeManifest(store, all, { cancellation });

    const [ref] = await readManifestPage(store, manifest, { offset: 0, limit: 1 });
    expect(ref && (await store.readJson(ref.document, episodeSchema))).toEqual(all[0]);
    expect(JSON.stringify(ref)).not.toContain('secret');
    expect(Array.from(ref?.title ?? '').length).toBe(160);
  });

  it('gives the same list the same manifest', async () => {
    const store = createFileArtifactStore(corpus());

    const first = await writeManifest(store, episodes(20), { cancellation });

    expect(await writeManifest(store, episodes(20), { cancellation })).toEqual(first);
  });

  it('reports progress and stops when it is cancelled', async () => {
    const store = createFileArtifactStore(corpus());
    const controller = new AbortController();
    const reason = new Error('cancelled');
    const stored: number[] = [];
    const heartbeat = (count: number): void => {
      stored.push(count);
      controller.abort(reason);
    };

    const written = writeManifest(store, episodes(100), { cancellation: controller.signal, heartbeat });

    await expect(written).rejects.toBe(reason);
    expect(stored).toEqual([16]);
  });
});
