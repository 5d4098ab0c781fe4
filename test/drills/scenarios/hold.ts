import { countDrill } from '../drill-count.js';
import { drillBatchId, holdPromises, type Drill } from '../drill.js';
import { until } from '../drill-site.js';

const episodes = 8;
const endpointId = 'dgx-speaches';
const probeIntervalSec = 2;

/** An outage in the middle of a batch. */
export const holdDrill: Drill = {
  about: 'The transcriber goes away in the middle of a batch and comes back: the batch holds, and goes on by itself.',
  site: { episodes },
  async play(site, say) {
    const endpoint = site.endpoint(endpointId);
    await site.startBatch(drillBatchId, {
      window: 6,
      overrides: { resilience_probe_interval_sec: probeIntervalSec },
    });
    await until('work at the transcriber', () => endpoint.counters.workCalls >= 2);
    await endpoint.down('status:503');
    say('The transcriber is down. One episode climbs its retry ladder; the others wait at no cost.');
    await until('an open circuit', async () => (await site.endpointState(endpointId))?.circuit === 'open');
    say('The circuit is open: the batch is holding, and only the endpoint itself probes.');
    await until('three probes', () => endpoint.counters.probeCalls >= 3);
    await endpoint.up();
    const recoverableAtMs = Date.now();
    say('The transcriber is back. Nobody needs to do anything.');
    const { report } = await site.outcome(drillBatchId);
    const counts = await countDrill({ site, endpointId, report, probeIntervalSec, recoverableAtMs });
    return { counts, promises: holdPromises(counts, episodes) };
  },
};
