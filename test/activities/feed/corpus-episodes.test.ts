import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { listEpisodes } from '../../../activities/feed/list-episodes.js';
import type { Selection } from '../../../activities/feed/select-episodes.js';
import { createFileArtifactStore } from '../../../activities/store/file-artifact-store.js';
import type { Episode } from '../../../src/episode.js';
import { audioSha256, publish } from '../../support/published-episode.js';
import { useTemporaryDirectory } from '../../support/temporary-directory.js';

const cancellation = new AbortController().signal;

describe('corpusEpisodes', () => {
  const corpus = useTemporaryDirectory();
  const list = (selection: Selection = {}): Promise<readonly Episode[]> =>
    listEpisodes({ corpus: corpus() }, selection, { cancellation });
  const inEpisode = (...names: string[]): string => path.join(corpus(), 'show-abc123', ...names);

  it('lists the episodes of an existing corpus as they were, addresses included', async () => {
    const store = createFileArtifactStore(corpus());
    const { episode } = await publish(store);
    await publish(store, { episodeId: 'e2' });

    const episodes = await list();

    expect(episodes.map(({ episodeId }) => episodeId)).toEqual(['e1', 'e2']);
    expect(episodes[0]).toEqual(episode);
  });

  it('names the copy of the audio that is there still', async () => {
    await publish(createFileArtifactStore(corpus()));
    const copy = path.join(corpus(), '.holdfast', 'audio', 'aa', `${audioSha256}.mp3`);
    await mkdir(path.dirname(copy), { recursive: true });
    await writeFile(copy, 'x');

    expect((await list())[0]?.audioCopy).toBe(copy);
  });

  it('takes only the episodes asked for', async () => {
    const store = createFileArtifactStore(corpus());
    for (const episodeId of ['e1', 'e2', 'e3']) await publish(store, { episodeId });

    expect((await list({ only: ['show-abc123/e3', 'e1'] })).map(({ episodeId }) => episodeId)).toEqual(['e1', 'e3']);
  });

  it('refuses episodes whose record or document is damaged, and goes on with the rest', async () => {
    const store = createFileArtifactStore(corpus());
    const { document } = await publish(store);
    await publish(store, { episodeId: 'e2' });
    await publish(store, { episodeId: 'e3' });
    await rm(path.join(corpus(), document.uri));
    await writeFile(inEpisode('e2', 'episode.json'), '{');

    expect((await list()).map(({ episodeId, refused }) => [episodeId, refused])).toEqual([
      ['e1', 'Its document in the artifact store is missing or damaged; run it from its feed.'],
      ['e2', 'Its episode.json is missing or damaged.'],
      ['e3', undefined],
    ]);
  });

  it('asks which one is meant when two feeds have an episode of one id', async () => {
    await publish(createFileArtifactStore(corpus()));
    await mkdir(path.join(corpus(), 'other-feed', 'e1'), { recursive: true });

    await expect(list()).rejects.toMatchObject({ kind: 'content', code: 'DUPLICATE_EPISODE' });
    expect(await list({ only: ['show-abc123/e1'] })).toHaveLength(1);
  });

  it('says that a directory holds no episodes, does not exist, or is none', async () => {
    const file = path.join(corpus(), 'file');
    await writeFile(file, '');
    const listOf = (directory: string): Promise<unknown> => listEpisodes({ corpus: directory }, {}, { cancellation });

    await expect(list()).rejects.toMatchObject({ kind: 'content', code: 'EMPTY_CORPUS' });
    await expect(listOf(path.join(corpus(), 'none'))).rejects.toThrow('none does not exist');
    await expect(listOf(file)).rejects.toThrow('file is not a directory');
  });
});
