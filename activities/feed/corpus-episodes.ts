import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { audioPath, episodeFileName } from '../../src/corpus-layout.js';
import type { EpisodeRecord } from '../../src/episode-record.js';
import type { Episode } from '../../src/episode.js';
import { episodeSchema } from '../../src/episode.js';
import type { ArtifactStore } from '../artifact-store.js';
import { episodeDirsOf, readEpisodeRecord } from '../corpus/read-corpus.js';
import { contentError } from '../source/source-error.js';
import { createFileArtifactStore } from '../store/file-artifact-store.js';

/**
 * The episodes of an existing corpus, from their `episode.json` and the documents in its store. One whose record or
 * document is damaged becomes a refused episode.
 *
 * @throws SourceError of kind `content` when there is no such directory, or it holds no episodes
 */
export async function corpusEpisodes(corpusDir: string, cancellation: AbortSignal): Promise<Episode[]> {
  const root = path.resolve(corpusDir);
  const store = createFileArtifactStore(root);
  const episodes: Episode[] = [];
  for (const directory of await episodeDirsOf(root)) {
    cancellation.throwIfAborted();
    episodes.push(await corpusEpisode(store, directory));
  }
  if (episodes.length > 0) return episodes;
  const entry = await stat(root).catch(() => undefined);
  if (entry === undefined) throw contentError('NO_CORPUS', `Corpus ${root} does not exist.`);
  if (!entry.isDirectory()) throw contentError('NO_CORPUS', `Corpus ${root} is not a directory.`);
  throw contentError('EMPTY_CORPUS', `${root} holds no episodes (<feed>/<episode>/${episodeFileName}).`);
}

async function corpusEpisode(store: ArtifactStore, directory: string): Promise<Episode> {
  const record = await readEpisodeRecord(path.join(store.corpusDir, directory));
  if (record === undefined) return refusedEpisode(directory, `Its ${episodeFileName} is missing or damaged.`);
  const episode = await store.readJson(record.document, episodeSchema).catch(() => undefined);
  if (episode === undefined) {
    return refusedEpisode(directory, 'Its document in the artifact store is missing or damaged; run it from its feed.');
  }
  const audioCopy = await storedAudio(store.corpusDir, record);
  return audioCopy === undefined ? episode : { ...episode, audioCopy };
}

/** The audio fetched for an earlier run, so that an item whose link has died since can still be reprocessed. */
async function storedAudio(root: string, record: EpisodeRecord): Promise<string | undefined> {
  if (record.audio === undefined) return undefined;
  const file = path.join(root, audioPath(record.audio.sha256, record.audio.format));
  return access(file).then(
    () => file,
    () => undefined,
  );
}

function refusedEpisode(directory: string, refused: string): Episode {
  const [feedId = '', episodeId = ''] = directory.split('/');
  return { episodeId, feedId, feedTitle: feedId, title: episodeId, people: [], refused };
}
