import { MultiBar, type SingleBar } from 'cli-progress';
import type { BatchStatus } from '../src/batch-status.js';
import { stages } from '../src/stage.js';
import type { BatchDisplay, EpisodeGlance } from './follow-batch.js';
import { tell } from './output.js';

const episodesShown = 6;
const nameLength = 36;
const silence = 'waiting for a worker to answer (is `holdfast up` or `holdfast worker` running?)';

/** Progress bars on a terminal; elsewhere one line whenever something has changed. Both on standard error. */
export function createBatchDisplay(): BatchDisplay {
  return process.stderr.isTTY ? new BarDisplay() : new LineDisplay();
}

/** For `--json`: nothing on the way. */
export const silentDisplay: BatchDisplay = {
  episodesShown: 0,
  show: () => undefined,
  showSilence: () => undefined,
  close: () => undefined,
};

class BarDisplay implements BatchDisplay {
  readonly episodesShown = episodesShown;
  private readonly bars = new MultiBar({
    format: '{name} {bar} {value}/{total} {what}',
    barsize: 20,
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  });
  private readonly batch = this.bars.create(1, 0, { name: padded('batch'), what: 'starting' });
  private readonly episodes = new Map<string, SingleBar>();

  show(status: BatchStatus, episodes: readonly EpisodeGlance[]): void {
    const { requested, done, failed, skipped, state, why, settingUp } = status;
    this.batch.setTotal(Math.max(1, requested));
    const trouble = failed > 0 ? `, ${failed} failed` : '';
    const told = settingUp === undefined ? `${state}${trouble}: ${why}` : why;
    const what = state === 'running' && settingUp === undefined ? `episodes${trouble}` : told;
    this.batch.update(done + failed + skipped, { name: padded(status.batchId), what });
    this.showEpisodes(episodes);
  }

  showSilence(): void {
    this.batch.update({ what: silence });
  }

  close(): void {
    this.bars.stop();
  }

  private showEpisodes(episodes: readonly EpisodeGlance[]): void {
    for (const [episodeId, bar] of this.episodes) {
      if (episodes.some((episode) => episode.episodeId === episodeId)) continue;
      this.bars.remove(bar);
      this.episodes.delete(episodeId);
    }
    for (const episode of episodes) {
      const { episodeId, finished } = episode;
      const bar = this.episodes.get(episodeId) ?? this.bars.create(stages.length, 0);
      this.episodes.set(episodeId, bar);
      bar.update(finished, { name: padded(`  ${episodeId}`), what: whatItDoes(episode) });
    }
  }
}

function whatItDoes({ state, stage, waitingFor }: EpisodeGlance): string {
  if (state !== 'running') return waitingFor === undefined ? state : `${state}: ${waitingFor}`;
  return `${stage ?? 'audio'}${waitingFor === undefined ? '' : ', queued'}`;
}

function padded(name: string): string {
  return name.slice(0, nameLength).padEnd(nameLength);
}

class LineDisplay implements BatchDisplay {
  readonly episodesShown = 0;
  private last = '';

  show({ batchId, state, requested, done, failed, skipped, why, settingUp }: BatchStatus): void {
    if (settingUp !== undefined) return this.say(`${batchId}: ${why}`);
    const counts = `${done} of ${requested} done${failed > 0 ? `, ${failed} failed` : ''}`;
    const others = skipped > 0 ? `, ${skipped} skipped` : '';
    this.say(`${batchId}: ${counts}${others}. ${state === 'running' ? 'Running.' : why}`);
  }

  showSilence(): void {
    this.say(silence);
  }

  close(): void {
    this.last = '';
  }

  private say(line: string): void {
    if (line === this.last) return;
    this.last = line;
    tell(line);
  }
}
