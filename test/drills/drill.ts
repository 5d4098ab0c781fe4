import type { DrillCounts } from './drill-count.js';
import type { DrillSite, DrillSiteOptions } from './drill-site.js';

/** A fault, played on a real site in front of somebody's eyes. */
export interface Drill {
  /** What is played and what is promised. */
  readonly about: string;
  readonly site: DrillSiteOptions;
  /** Plays it to its end; `say` tells people what happens as it happens. */
  play(site: DrillSite, say: (line: string) => void): Promise<DrillResult>;
}

export interface DrillResult {
  readonly counts: DrillCounts;
  /** Promises by what they say, and whether they held. */
  readonly promises: Readonly<Record<string, boolean>>;
}

/** The batch of every drill. */
export const drillBatchId = 'drill';

/** What every drill under hold promises of an endpoint of capacity 1 (design.md section 11). */
export function holdPromises(counts: DrillCounts, episodes: number): DrillResult['promises'] {
  return {
    [`all ${episodes} episodes are done`]: counts.done === episodes && counts.failed === 0,
    'no artifact is made by another model': counts.mixed === 0,
    'at most 4 work calls reach the dead service': counts.callsWhileDown <= 4,
    'never more than one call in flight': counts.maxInFlight <= 1,
    'no finished stage is repeated': counts.stagesRepeated === 0,
    'work begins within one probe interval plus 2 s': (counts.recoverySec ?? Infinity) <= counts.probeIntervalSec + 2,
  };
}
