import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BatchInput } from '../../src/batch.js';
import { until, type DrillSite } from '../drills/drill-site.js';

/** A batch with something to report: an outage that is held, and an episode that fails. */
export interface Scene {
  readonly batchId: string;
  /** Of the episodes, in the order of the feed; the site has a tone for each. */
  readonly titles: readonly string[];
  /** Place of the episode whose audio the diarizer refuses. */
  readonly refused: number;
}

/** Starts it, lets the transcriber go away, and returns once the batch is held and has been probed. */
export async function playUntilHeld(site: DrillSite, scene: Scene): Promise<void> {
  const speaches = site.endpoint('dgx-speaches');
  const sha256 = site.audioSha256(scene.refused);
  site.endpoint('dgx-pyannote').script({ rules: [{ when: { kind: 'work', sha256 }, mode: '413' }] });
  await site.startBatch(scene.batchId, await sceneInput(site, scene));
  await until('work at the transcriber', () => speaches.counters.workCalls >= 2);
  await speaches.down('status:503');
  await until('two probes', () => speaches.counters.probeCalls >= 2);
}

/** Brings the transcriber back and waits for the end. */
export async function playToTheEnd(site: DrillSite, { batchId }: Scene): Promise<void> {
  await site.endpoint('dgx-speaches').up();
  await site.outcome(batchId);
}

async function sceneInput(site: DrillSite, { titles }: Scene): Promise<Partial<BatchInput>> {
  const feed = path.join(site.dataDir, 'feed.xml');
  await writeFile(feed, feedOf(titles));
  return { source: { feed }, window: 4, overrides: { resilience_retries_before_trip: 1 } };
}

function feedOf(titles: readonly string[]): string {
  const items = titles.map((title, n) => {
    const number = String(n).padStart(2, '0');
    return `<item><title><![CDATA[${title}]]></title><guid isPermaLink="false">episode-${number}</guid>
<enclosure url="audio/tone-${number}.wav" length="1" type="audio/wav"/></item>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel><title>Tones</title><link>https://example.com/</link><description>Tones</description>
${items.join('\n')}
</channel></rss>
`;
}
