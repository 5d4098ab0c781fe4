import type { Episode } from '../../src/episode.js';
import { suggestion } from '../../src/nearest-name.js';
import { contentError } from '../source/source-error.js';

export interface Selection {
  /** Episode ids, GUIDs, or `<feedId>/<episodeId>`. */
  readonly only?: readonly string[] | undefined;
  /** At most so many, from the top, after `only`. */
  readonly limit?: number | undefined;
}

/**
 * The chosen episodes, in the source's order.
 *
 * @throws SourceError of kind `content`: a name the source does not have (with the nearest it has), an episode named
 *   twice, or two episodes of different feeds with one id
 */
export function selectEpisodes(episodes: readonly Episode[], selection: Selection): Episode[] {
  const chosen = selection.only === undefined ? [...episodes] : chooseOnly(episodes, selection.only);
  refuseSharedIds(chosen);
  return chosen.slice(0, selection.limit ?? chosen.length);
}

function chooseOnly(episodes: readonly Episode[], only: readonly string[]): Episode[] {
  const byName = episodesByName(episodes);
  const unknown = only.filter((name) => !byName.has(name.trim()));
  if (unknown.length > 0) throw unknownNames(unknown, [...byName.keys()]);

  const nameOf = new Map<Episode, string>();
  for (const name of only) {
    for (const episode of byName.get(name.trim()) ?? []) {
      const before = nameOf.get(episode);
      if (before !== undefined) {
        const names = before === name ? `"${name}" twice` : `"${before}" and "${name}", which are one episode`;
        throw contentError('DUPLICATE_EPISODE', `only names ${names}.`);
      }
      nameOf.set(episode, name);
    }
  }
  return episodes.filter((episode) => nameOf.has(episode));
}

function episodesByName(episodes: readonly Episode[]): Map<string, Set<Episode>> {
  const byName = new Map<string, Set<Episode>>();
  for (const episode of episodes) {
    for (const name of [episode.episodeId, episode.guid, `${episode.feedId}/${episode.episodeId}`]) {
      if (name === undefined) continue;
      const known = byName.get(name);
      if (known === undefined) byName.set(name, new Set([episode]));
      else known.add(episode);
    }
  }
  return byName;
}

function unknownNames(unknown: readonly string[], known: readonly string[]): Error {
  const shown = unknown.slice(0, 5).map((name) => `"${name}"${suggestion(name, known)}`);
  const more = unknown.length > shown.length ? `, and ${unknown.length - shown.length} more` : '';
  return contentError(
    'UNKNOWN_EPISODE',
    `only names episodes that the source does not have: ${shown.join(', ')}${more}`,
  );
}

/** Ids are unique within a feed; a corpus holds several feeds, and workflows are named by the id alone. */
function refuseSharedIds(episodes: readonly Episode[]): void {
  const feeds = new Map<string, string>();
  for (const { episodeId, feedId } of episodes) {
    const other = feeds.get(episodeId);
    if (other !== undefined) {
      const choice = `"${other}/${episodeId}" or "${feedId}/${episodeId}"`;
      throw contentError(
        'DUPLICATE_EPISODE',
        `Two feeds have an episode ${episodeId}; choose one with only: ${choice}.`,
      );
    }
    feeds.set(episodeId, feedId);
  }
}
