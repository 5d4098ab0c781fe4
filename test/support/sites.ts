import { Rig, type RigOptions } from './rig.js';
import { testPlan, type TestPlan, type TestTier } from './plans.js';
import { startTimeSkipping, type TestTemporal } from './temporal.js';

export const secondMs = 1000;
export const minuteMs = 60_000;

export interface Sites {
  readonly temporal: TestTemporal;
  start(options: Omit<RigOptions, 'temporal'>): Promise<Rig>;
}

/** Called in a `describe`: one time-skipping server for it, and at most one site for each of its tests. */
export function timeSkippingSites(): Sites {
  let temporal: TestTemporal | undefined;
  let rig: Rig | undefined;
  const running = (): TestTemporal => {
    if (temporal === undefined) throw new Error('only in a test: the server starts before all of them');
    return temporal;
  };
  beforeAll(async () => {
    temporal = await startTimeSkipping();
  });
  afterEach(async () => {
    await rig?.stop();
    rig = undefined;
  });
  afterAll(() => temporal?.stop());
  return {
    get temporal() {
      return running();
    },
    start: async (options) => {
      rig = await Rig.start({ ...options, temporal: running() });
      return rig;
    },
  };
}

/** Two seconds of tone are what every episode of a rig is. */
export const speaches = { shape: 'speaches', model: 'large-v3', durationSec: 2 } as const;
export const pyannote = { shape: 'pyannote', model: 'pyannote/speaker-diarization-3.1', durationSec: 2 } as const;
export const vllm = { shape: 'vllm', model: 'qwen3' } as const;

export function asr(tier: Partial<TestTier> = {}): TestTier {
  return { stage: 'transcribe', endpointId: 'asr', wire: 'openai-transcription', ...tier };
}

export function diarizer(tier: Partial<TestTier> = {}): TestTier {
  return { stage: 'diarize', endpointId: 'diarizer', wire: 'pyannote', ...tier };
}

export function llm(stage: TestTier['stage'], tier: Partial<TestTier> = {}): TestTier {
  return { stage, endpointId: 'llm', wire: 'openai-chat', ...tier };
}

/** The plan option of a rig: these tiers under this strategy. */
export function planOf(
  strategy: TestPlan['strategy'],
  tiers: readonly TestTier[],
  change: NonNullable<TestPlan['change']> = {},
): RigOptions['plan'] {
  return (facts) => testPlan({ ...facts, strategy, tiers, change });
}
