import { setTimeout as delay } from 'node:timers/promises';
import { countDrill } from '../drill-count.js';
import { drillBatchId, holdPromises, type Drill } from '../drill.js';
import { until } from '../drill-site.js';

const episodes = 6;
const endpointId = 'dgx-speaches';
const probeIntervalSec = 2;
const limitSec = 6;
const haltedForMs = 5000;

/** An outage that outlasts the limit. */
export const haltDrill: Drill = {
  about: `The transcriber stays away longer than ${limitSec} s: the batch halts alive, and \`resume\` finishes all of it.`,
  site: { episodes },
  async play(site, say) {
    const endpoint = site.endpoint(endpointId);
    await site.startBatch(drillBatchId, {
      overrides: {
        resilience_probe_interval_sec: probeIntervalSec,
        resilience_on_open_max_wait_sec: limitSec,
      },
    });
    await until('work at the transcriber', () => endpoint.counters.workCalls >= 2);
    await endpoint.down('status:503');
    say('The transcriber is down.');
    await until('a halted batch', async () => (await site.batchStatus(drillBatchId)).state === 'halted');
    const callsAtHalt = endpoint.counters.workCalls;
    say(`The fuse is open and the batch is halted. ${(await site.batchStatus(drillBatchId)).why}`);
    await endpoint.up();
    say('The transcriber is back, and nothing happens: somebody has to say `resume`.');
    await delay(haltedForMs);
    const callsWhileHalted = endpoint.counters.workCalls - callsAtHalt;
    const recoverableAtMs = Date.now();
    await site.signalBatch(drillBatchId, 'resume');
    say('resume');
    const { report } = await site.outcome(drillBatchId);
    const counts = await countDrill({ site, endpointId, report, probeIntervalSec, recoverableAtMs });
    return { counts, promises: { ...holdPromises(counts, episodes), 'no call while halted': callsWhileHalted === 0 } };
  },
};
