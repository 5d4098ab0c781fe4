import { countDrill } from '../drill-count.js';
import { drillBatchId, type Drill } from '../drill.js';
import { smallProbeIntervalSec } from '../drill-site.js';

const episodes = 6;
const poisoned = 1;
const endpointId = 'dgx-speaches';
const probeIntervalSec = smallProbeIntervalSec;

/** The service is fine; one file makes it answer 500 every time. */
export const poisonDrill: Drill = {
  about: 'One file makes the transcriber answer 500 every time: that episode fails as suspect input, the rest is done.',
  site: { episodes },
  async play(site, say) {
    const endpoint = site.endpoint(endpointId);
    endpoint.script({ rules: [{ when: { kind: 'work', sha256: site.audioSha256(poisoned) }, mode: 'plain500' }] });
    await site.startBatch(drillBatchId);
    say(`tone-0${poisoned}.wav is poisoned. The circuit opens for it, the probe works, another episode gets through.`);
    const { report } = await site.outcome(drillBatchId);
    const culprit = report.episodes.find(({ state }) => state === 'failed');
    const counts = await countDrill({ site, endpointId, report, probeIntervalSec });
    const promises = {
      [`${episodes - 1} episodes are done, one has failed`]: counts.done === episodes - 1 && counts.failed === 1,
      'it failed as suspect input': culprit?.reason?.includes('suspect input') === true,
      'no artifact is made by another model': counts.mixed === 0,
      'never more than one call in flight': counts.maxInFlight <= 1,
      'no finished stage is repeated': counts.stagesRepeated === 0,
    };
    return { counts, promises };
  },
};
