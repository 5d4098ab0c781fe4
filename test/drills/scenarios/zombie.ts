import { countDrill } from '../drill-count.js';
import { drillBatchId, type Drill } from '../drill.js';
import { smallProbeIntervalSec, until } from '../drill-site.js';

const episodes = 3;
const endpointId = 'dgx-pyannote';
const zombieSec = 28;
const probeIntervalSec = smallProbeIntervalSec;

/** Two diarizations at once once killed the box. */
export const zombieDrill: Drill = {
  about: `The worker is killed in the middle of a diarization that the service computes on for ${zombieSec} s: nothing else is sent before it ends.`,
  site: {
    episodes,
    services: {
      [endpointId]: {
        serial: true,
        healthBlocksWhileBusy: true,
        script: { steps: [{ mode: `zombie:${zombieSec}s` }] },
      },
    },
    endpoints: { [endpointId]: { drainSec: 90 } },
  },
  async play(site, say) {
    const endpoint = site.endpoint(endpointId);
    await site.startBatch(drillBatchId);
    // No call of another stage may be cut in the moment between its answer and its artifact.
    await until('a diarization, and the others waiting for theirs', async () => {
      const state = await site.endpointState(endpointId);
      return endpoint.counters.workCalls === 1 && state?.waiting.length === episodes - 1;
    });
    await site.worker.kill();
    say('The worker is killed; its call goes on at the service, and its health page does not answer meanwhile.');
    await site.startWorker();
    say(
      'A new worker is there. It hears from Temporal of the lost call after 20 s, and waits until the service is idle.',
    );
    const { report } = await site.outcome(drillBatchId);
    const state = await site.endpointState(endpointId);
    const counts = await countDrill({ site, endpointId, report, probeIntervalSec });
    const promises = {
      [`all ${episodes} episodes are done`]: counts.done === episodes && counts.failed === 0,
      'never two computing at once, the zombie included': counts.maxInFlight <= 1,
      'a lost worker is not the fault of the service: no trip': state?.counters.trips === 0,
      'no artifact is made by another model': counts.mixed === 0,
      'no finished stage is repeated': counts.stagesRepeated === 0,
    };
    return { counts, promises };
  },
};
