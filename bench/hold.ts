import { setTimeout as delay } from 'node:timers/promises';
import { batchWorkflowId, endpointWorkflowId } from '../src/messages.js';
import { prepareTests } from '../test/support/prepare-tests.js';
import { testPlan, type TestTier } from '../test/support/plans.js';
import { Rig } from '../test/support/rig.js';
import { startDevServer, type TestTemporal } from '../test/support/temporal.js';

/**
 * Real times divided by `scale`: transcription 144 s, diarization 180 s, a call of the language model 5 s, back-off 30,
 * 60, 120 s, probes every 30 s, one outage of 20 minutes at the diarizer, which is the busiest.
 */
const real = { asrSec: 144, diarizeSec: 180, llmSec: 5, backoffSec: [30, 60, 120], probeSec: 30, outageSec: 1200 };

export interface HoldBenchOptions {
  readonly episodes: number;
  readonly scale: number;
}

interface HoldBenchRow {
  readonly window: number;
  readonly outage: boolean;
  readonly done: number;
  readonly makespanSec: number;
  /** The busiest endpoint's total service time, and its outage. */
  readonly boundSec: number;
  readonly ratio: number;
  readonly eventsPerEpisode: number;
  readonly bytesPerEpisode: number;
  readonly entityEventsPerPermit: number;
  readonly callsWhileDown: number;
  readonly overlappingProbes: number;
  readonly mostInFlight: number;
  /** From recovery to the first productive call, beside the probe interval. */
  readonly firstCallAfterRecoverySec?: number;
  readonly probeIntervalSec: number;
}

function tiers(scale: number): TestTier[] {
  const policy = {
    backoffScheduleSec: real.backoffSec.map((sec) => sec / scale),
    probeIntervalSec: real.probeSec / scale,
  };
  const settings = { probeIntervalSec: real.probeSec / scale };
  const common = { policy, settings, deadlineSec: 60 } as const;
  return [
    { ...common, stage: 'transcribe', endpointId: 'asr', wire: 'openai-transcription' },
    { ...common, stage: 'diarize', endpointId: 'diarizer', wire: 'pyannote' },
    { ...common, stage: 'summarize', endpointId: 'llm', wire: 'openai-chat', settings: { ...settings, capacity: 4 } },
    { ...common, stage: 'gi', endpointId: 'llm', wire: 'openai-chat' },
    { ...common, stage: 'kg', endpointId: 'llm', wire: 'openai-chat' },
  ];
}

async function startRig(temporal: TestTemporal, { episodes, scale }: HoldBenchOptions): Promise<Rig> {
  const ms = (sec: number): number => (1000 * sec) / scale;
  return Rig.start({
    temporal,
    episodes,
    stub: {
      asr: { shape: 'speaches', model: 'large-v3', durationSec: 2, serviceMs: ms(real.asrSec) },
      diarizer: { shape: 'pyannote', model: 'community-1', durationSec: 2, serviceMs: ms(real.diarizeSec) },
      llm: { shape: 'vllm', model: 'qwen', serviceMs: ms(real.llmSec) },
    },
    plan: (facts) => testPlan({ ...facts, strategy: 'hold', tiers: tiers(scale) }),
  });
}

/** One batch; with `outage` the diarizer is away for its time once a quarter of the episodes are through it. */
async function measure(
  temporal: TestTemporal,
  options: HoldBenchOptions,
  { window, outage }: { window: number; outage: boolean },
): Promise<HoldBenchRow> {
  const rig = await startRig(temporal, options);
  const batchId = `bench-${window}-${outage ? 'outage' : 'healthy'}`;
  try {
    await rig.startBatch(batchId, { window });
    const upAtMs = outage ? await playOutage(rig, options) : undefined;
    await temporal.client.workflow.getHandle(batchWorkflowId(batchId)).result();
    return await rowOf(rig, options, { window, outage, batchId, upAtMs });
  } finally {
    await rig.stop();
  }
}

async function playOutage(rig: Rig, { episodes, scale }: HoldBenchOptions): Promise<number> {
  const diarizer = rig.stub.endpoint('diarizer');
  while (diarizer.counters.workCalls < episodes / 4) await delay(20);
  await diarizer.down('reset');
  await delay((1000 * real.outageSec) / scale);
  const upAtMs = Date.now();
  await diarizer.up();
  return upAtMs;
}

interface Played {
  readonly window: number;
  readonly outage: boolean;
  readonly batchId: string;
  readonly upAtMs: number | undefined;
}

async function rowOf(rig: Rig, options: HoldBenchOptions, played: Played): Promise<HoldBenchRow> {
  const { episodes, scale } = options;
  const work = rig.stub.calls.filter((call) => call.kind === 'work');
  const ends = work.flatMap((call) => call.endedAtMs ?? []);
  const makespanSec = (Math.max(...ends) - Math.min(...work.map((call) => call.startedAtMs))) / 1000;
  const boundSec = (episodes * real.diarizeSec + (played.outage ? real.outageSec : 0)) / scale;
  const { counters } = rig.stub.endpoint('diarizer');
  const { upAtMs } = played;
  const after = work.filter(
    (call) => call.endpoint === 'diarizer' && upAtMs !== undefined && call.startedAtMs >= upAtMs,
  );
  const first = Math.min(...after.map((call) => call.startedAtMs));
  return {
    ...{ window: played.window, outage: played.outage },
    done: (await rig.batchStatus(played.batchId)).done,
    ...{ makespanSec: round(makespanSec), boundSec: round(boundSec), ratio: round(makespanSec / boundSec) },
    ...(await historiesOf(rig, played.batchId, episodes)),
    callsWhileDown: counters.callsWhileDown,
    overlappingProbes: Math.max(0, counters.maxProbesInFlight - 1),
    mostInFlight: counters.maxInFlight,
    ...(upAtMs === undefined ? {} : { firstCallAfterRecoverySec: round((first - upAtMs) / 1000) }),
    probeIntervalSec: round(real.probeSec / scale),
  };
}

type Histories = Pick<HoldBenchRow, 'eventsPerEpisode' | 'bytesPerEpisode' | 'entityEventsPerPermit'>;

async function historiesOf(rig: Rig, batchId: string, episodes: number): Promise<Histories> {
  const described = await Promise.all(
    Array.from({ length: episodes }, (_, n) => rig.episodeWorkflow(batchId, n).describe()),
  );
  const { workflow } = rig.temporal.client;
  let entityEvents = 0;
  let permits = 0;
  for (const endpointId of ['asr', 'diarizer', 'llm']) {
    const { historyLength } = await workflow.getHandle(endpointWorkflowId(endpointId)).describe();
    entityEvents += historyLength;
    permits += (await rig.endpointState(endpointId)).counters.grants;
  }
  return {
    eventsPerEpisode: median(described.map(({ historyLength }) => historyLength)),
    bytesPerEpisode: median(described.map(({ historySize }) => historySize ?? 0)),
    entityEventsPerPermit: round(entityEvents / permits),
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** Window 1 and 6, without fault and with one outage: makespan against the bound, and what it costs in history. */
export async function run(options: HoldBenchOptions = { episodes: 60, scale: 120 }): Promise<{ rows: HoldBenchRow[] }> {
  await prepareTests();
  const temporal = await startDevServer();
  const rows: HoldBenchRow[] = [];
  try {
    for (const outage of [false, true]) {
      for (const window of [6, 1]) rows.push(await measure(temporal, options, { window, outage }));
    }
  } finally {
    await temporal.stop();
  }
  return { rows };
}
