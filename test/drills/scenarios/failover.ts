import { countDrill } from '../drill-count.js';
import { drillBatchId, type Drill } from '../drill.js';
import { smallProbeIntervalSec, until } from '../drill-site.js';

const episodes = 6;
const endpointId = 'dgx-speaches';
const deadlineSec = 3;

/** Serving listeners, not reprocessing an archive: any tier is better than waiting. */
export const failoverDrill: Drill = {
  about: 'Under serve the transcriber hangs: one call finds out, and every episode from then on goes to the next tier.',
  site: { episodes },
  async play(site, say) {
    const endpoint = site.endpoint(endpointId);
    await site.startBatch(drillBatchId, {
      window: 2,
      overrides: {
        resilience_run_context: 'serve',
        resilience_failure_strategy: 'failover',
        transcription_fallback: ['tailnet_dgx_whisper_openai'],
        transcription_timeout_base_sec: deadlineSec,
      },
    });
    await until('work at the transcriber', () => endpoint.counters.workCalls >= 1);
    await endpoint.down('hang');
    say(`The transcriber hangs. The next call runs into its deadline of ${deadlineSec} s.`);
    await until('an open circuit', async () => (await site.endpointState(endpointId))?.circuit === 'open');
    say('The circuit is open: the next tier takes over, and nobody knocks at the dead one.');
    const callsAtTrip = endpoint.counters.workCalls;
    const { report } = await site.outcome(drillBatchId);
    const counts = await countDrill({ site, endpointId, report, probeIntervalSec: smallProbeIntervalSec });
    const promises = {
      [`all ${episodes} episodes are done`]: counts.done === episodes && counts.failed === 0,
      'one call finds out that the service hangs': counts.callsWhileDown === 1,
      'no call to the dead service after its trip': endpoint.counters.workCalls === callsAtTrip,
      'the next tier did the rest': counts.mixed > 0,
      'never more than one call in flight': counts.maxInFlight <= 1,
      'no finished stage is repeated': counts.stagesRepeated === 0,
    };
    return { counts, promises };
  },
};
