import type { EpisodeRecord } from '../../src/episode-record.js';
import type { Finding } from './finding.js';

/** Who made one thing, by batch: `what` is a stage or `posture`; `who` by the episodes that say so. */
interface Owners {
  readonly batchId: string;
  readonly what: string;
  readonly who: Map<string, string[]>;
}

/**
 * Collects, episode by episode, what must be one and the same over a whole batch: its posture, and under hold the
 * option, endpoint and reported model of every stage. `findings` then names the episodes that are not like most.
 */
export class BatchUnity {
  private readonly owners = new Map<string, Owners>();

  add(record: EpisodeRecord): void {
    const { batchId, posture, feedId, episodeId } = record;
    const episode = `${feedId}/${episodeId}`;
    this.note(episode, { batchId, what: 'posture', who: `${posture.runContext}/${posture.failureStrategy}` });
    if (posture.failureStrategy !== 'hold') return;
    for (const { provenance } of record.stages) {
      // What was taken from another batch was that batch's to keep one.
      if (provenance === undefined || provenance.batchId !== batchId) continue;
      const { stage, optionId, modelReported, endpointId } = provenance;
      this.note(episode, { batchId, what: stage, who: `${optionId} (${modelReported} at ${endpointId})` });
    }
  }

  *findings(): Generator<Finding> {
    for (const { batchId, what, who } of this.owners.values()) {
      const [most, ...others] = [...who].sort(([, a], [, b]) => b.length - a.length);
      for (const [owner, episodes] of others) {
        const usual = `most of batch ${batchId} by ${most?.[0] ?? ''}`;
        for (const episode of episodes) {
          yield what === 'posture'
            ? { episode, code: 'posture', message: `ran as ${owner}; ${usual.replace(' by ', ' as ')}` }
            : { episode, code: 'mixed-models', message: `${what} was made by ${owner}; ${usual}` };
        }
      }
    }
  }

  private note(episode: string, said: { batchId: string; what: string; who: string }): void {
    const { batchId, what, who } = said;
    const key = JSON.stringify([batchId, what]);
    const owners = this.owners.get(key) ?? { batchId, what, who: new Map<string, string[]>() };
    this.owners.set(key, owners);
    const episodes = owners.who.get(who);
    if (episodes === undefined) owners.who.set(who, [episode]);
    else episodes.push(episode);
  }
}
