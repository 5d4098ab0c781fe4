import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Episode } from '../../src/episode.js';
import { isPlainName, slug } from '../../src/safe-name.js';
import { contentError } from '../source/source-error.js';
import { sha256Of } from '../store/digest.js';

const feedId = 'audio-files';
const feedTitle = 'Audio files';

/**
 * Audio files as episodes, in the order given; the id is the file's name without extension, with 6 hex digits of its
 * path where two would be the same. A file that is not there becomes a refused episode.
 *
 * @throws SourceError of kind `content` when a file is given twice, or none of them exists
 */
export async function audioFileEpisodes(files: readonly string[]): Promise<Episode[]> {
  const paths = files.map((file) => path.resolve(file));
  const [twice] = repeated(paths);
  if (twice !== undefined) throw contentError('DUPLICATE_FILE', `Audio file ${twice} is given twice.`);

  const reasons = await Promise.all(paths.map(unreadable));
  if (reasons.every((reason) => reason !== undefined)) {
    throw contentError('NO_AUDIO', `None of the audio files can be read; the first: ${reasons[0] ?? ''}`);
  }
  const stems = paths.map(idFromStem);
  const sharedStems = repeated(stems);
  return paths.map((file, index) => {
    const stem = stems[index] ?? ''; // one for each path
    const refused = reasons[index];
    return {
      episodeId: sharedStems.has(stem) ? `${stem}-${sha256Of(file).slice(0, 6)}` : stem,
      feedId,
      feedTitle,
      title: path.parse(file).name,
      audioUrl: file,
      people: [],
      ...(refused === undefined ? {} : { refused }),
    };
  });
}

/** The names that occur more than once. */
function repeated(names: readonly string[]): Set<string> {
  const seen = new Set<string>();
  return new Set(names.filter((name) => seen.size === seen.add(name).size));
}

function idFromStem(file: string): string {
  const stem = path.parse(file).name;
  if (isPlainName(stem)) return stem;
  const readable = slug(stem);
  return isPlainName(readable) ? readable : `audio-${sha256Of(stem).slice(0, 8)}`;
}

async function unreadable(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return `${file}: there is no such file.`;
  return found.isFile() ? undefined : `${file} is not a file.`;
}
