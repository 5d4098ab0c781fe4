import { z } from 'zod';
import type { BlobRef } from '../../src/artifact.js';
import { blobRefSchema } from '../../src/artifact.js';
import type { Episode, EpisodeRef } from '../../src/episode.js';
import { episodeRefSchema } from '../../src/episode.js';
import type { ArtifactStore } from '../artifact-store.js';

/** The episode list of a batch: an index of pages, so that any stretch of 100,000 episodes costs at most two small reads more. */
const manifestSchema = z.strictObject({
  episodes: z.number().int().min(0),
  pageSize: z.number().int().positive(),
  pages: z.array(blobRefSchema),
});
const pageSchema = z.array(episodeRefSchema);

const pageSize = 500;
/** Episode documents written at once: enough to keep a disk busy with syncs. */
const writers = 16;
/** Longest title that a reference carries; the document has it whole. */
const refTitleLength = 160;

export interface ManifestOptions {
  readonly cancellation: AbortSignal;
  /** Called now and then with the number of episodes stored so far. */
  readonly heartbeat?: (stored: number) => void;
}

/**
 * Stores every episode as a document and their references as pages. The same list twice is the same manifest.
 *
 * @throws StoreError
 */
export async function writeManifest(
  store: ArtifactStore,
  episodes: readonly Episode[],
  options: ManifestOptions,
): Promise<{ readonly manifest: BlobRef; readonly episodes: number }> {
  const pages: BlobRef[] = [];
  for (let start = 0; start < episodes.length; start += pageSize) {
    const refs: EpisodeRef[] = [];
    for (let at = start; at < Math.min(start + pageSize, episodes.length); at += writers) {
      options.cancellation.throwIfAborted();
      const some = episodes.slice(at, Math.min(at + writers, start + pageSize));
      refs.push(...(await Promise.all(some.map((episode) => storeEpisode(store, episode)))));
      options.heartbeat?.(start + refs.length);
    }
    pages.push(await store.put(JSON.stringify(refs)));
  }
  const manifest = await store.put(JSON.stringify({ episodes: episodes.length, pageSize, pages }));
  return { manifest, episodes: episodes.length };
}

/** References `offset` … `offset + limit - 1` of a manifest; fewer at its end, none past it. */
export async function readManifestPage(
  store: ArtifactStore,
  manifest: BlobRef,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<readonly EpisodeRef[]> {
  const index = await store.readJson(manifest, manifestSchema);
  const firstPage = Math.floor(offset / index.pageSize);
  const endPage = Math.ceil((offset + limit) / index.pageSize);
  const pages = index.pages.slice(firstPage, endPage);
  const refs = (await Promise.all(pages.map((page) => store.readJson(page, pageSchema)))).flat();
  const skipped = offset - firstPage * index.pageSize;
  return refs.slice(skipped, skipped + limit);
}

/** Every reference of a manifest, in order, one page in memory at a time. */
export async function* manifestEpisodes(store: ArtifactStore, manifest: BlobRef): AsyncGenerator<EpisodeRef> {
  const index = await store.readJson(manifest, manifestSchema);
  for (const page of index.pages) yield* await store.readJson(page, pageSchema);
}

async function storeEpisode(store: ArtifactStore, episode: Episode): Promise<EpisodeRef> {
  const { episodeId, feedId, title } = episode;
  const document = await store.put(JSON.stringify(episode));
  return { episodeId, feedId, title: shortened(title), document };
}

function shortened(title: string): string {
  const characters = Array.from(title); // by code point: half an emoji is no text
  return characters.length <= refTitleLength ? title : `${characters.slice(0, refTitleLength - 1).join('')}…`;
}
