import type { BatchSource } from '../../src/batch.js';
import type { Episode } from '../../src/episode.js';
import type { FetchLimits } from '../source/fetch-url.js';
import { contentError } from '../source/source-error.js';
import { audioFileEpisodes } from './audio-file-episodes.js';
import { corpusEpisodes } from './corpus-episodes.js';
import { feedEpisodes } from './feed-episodes.js';
import { defaultFeedLimits, readFeed } from './read-feed.js';
import type { Selection } from './select-episodes.js';
import { selectEpisodes } from './select-episodes.js';

export interface ListEpisodesOptions {
  readonly cancellation: AbortSignal;
  /** Of the feed's download; default 120 s and 256 MiB. */
  readonly limits?: FetchLimits;
}

/**
 * The episodes of a batch, in the source's order, ids unique. An item that cannot be processed at all (no enclosure, a
 * GUID that another item has, a missing file) is listed with its reason in `refused`, so that the batch accounts for it.
 *
 * @throws SourceError: `transient` where the network failed (Temporal retries), `content` where the source or the
 *   selection is wrong
 */
export async function listEpisodes(
  source: BatchSource,
  selection: Selection,
  options: ListEpisodesOptions,
): Promise<readonly Episode[]> {
  const episodes = await allEpisodes(source, options);
  if (episodes.length === 0) throw contentError('EMPTY_FEED', 'The feed has no episodes.');
  return selectEpisodes(episodes, selection);
}

async function allEpisodes(source: BatchSource, options: ListEpisodesOptions): Promise<readonly Episode[]> {
  if ('audio' in source) return audioFileEpisodes(source.audio);
  if ('corpus' in source) return corpusEpisodes(source.corpus, options.cancellation);
  const limits = options.limits ?? defaultFeedLimits;
  const { feed, base } = await readFeed(source.feed.trim(), { ...limits, cancellation: options.cancellation });
  return feedEpisodes(feed, base);
}
