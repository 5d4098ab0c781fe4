import type { EndpointSettings, WireShape } from '../../src/endpoint.js';
import { policyDefaults } from '../../src/policy-defaults.js';
import type { ResiliencePolicy } from '../../src/resilience-policy.js';
import { runPlanSchema, type RunPlan, type Tier } from '../../src/run-plan.js';
import { stages, type Stage } from '../../src/stage.js';
import type { Stub } from './stub/stub.js';

export interface TestTier {
  readonly stage: Stage;
  /** Endpoint id, and name of the stub's endpoint. */
  readonly endpointId: string;
  readonly wire: WireShape;
  readonly optionId?: string;
  readonly cloud?: boolean;
  readonly policy?: Partial<ResiliencePolicy>;
  readonly settings?: Partial<EndpointSettings>;
  readonly deadlineSec?: number;
}

export interface TestPlan {
  readonly batchId: string;
  readonly corpusDir: string;
  readonly stub: Stub;
  readonly strategy: 'hold' | 'failover';
  /** In chain order, stage by stage. Stages without a tier are disabled. */
  readonly tiers: readonly TestTier[];
  readonly change?: Partial<RunPlan>;
}

const apiPaths: Partial<Record<WireShape, string>> = {
  'openai-transcription': '/v1',
  'openai-chat': '/v1',
  gemini: '/v1beta',
};

function urlOf(stub: Stub, { endpointId, wire }: TestTier): string {
  if (wire === 'local-extractive') return 'builtin:local-extractive';
  return `${stub.endpoint(endpointId).url}${apiPaths[wire] ?? ''}`;
}

function modelOf(stub: Stub, { endpointId, wire }: TestTier): string {
  return wire === 'local-extractive' ? 'extractive:lexrank' : stub.endpoint(endpointId).model;
}

/** A plan by hand: every endpoint is one of the stub's. */
export function testPlan({ batchId, corpusDir, stub, strategy, tiers, change }: TestPlan): RunPlan {
  const endpoints: Record<string, EndpointSettings> = {};
  const chains = new Map<Stage, Tier[]>();
  for (const tier of tiers) {
    const url = urlOf(stub, tier);
    const model = modelOf(stub, tier);
    const { endpointId, wire, stage } = tier;
    endpoints[endpointId] ??= {
      endpointId,
      capacity: 1,
      probeIntervalSec: 30,
      probeDeadlineSec: 5,
      cooldownSec: 300,
      failureThreshold: 2,
      failureWindowSec: 300,
      drainSec: 0,
      probe: { wire, url, model },
      ...tier.settings,
    };
    const made: Tier = {
      optionId: tier.optionId ?? `${endpointId}-option`,
      provider: endpointId,
      wire,
      model,
      endpointId,
      url,
      cloud: tier.cloud ?? false,
      deadline: { baseSec: tier.deadlineSec ?? 10, perAudioMinuteSec: 0 },
      policy: { ...policyDefaults(strategy, stage), ...tier.policy },
    };
    chains.set(stage, [...(chains.get(stage) ?? []), made]);
  }
  return runPlanSchema.parse({
    batchId,
    profile: 'test',
    runContext: strategy === 'hold' ? 'reprocess' : 'serve',
    failureStrategy: strategy,
    allowCloudFallback: true,
    transcriptCacheEnabled: false,
    corpusDir,
    callBudgetPerEpisode: 1500,
    coverageMin: 0,
    stages: Object.fromEntries(
      stages.map((stage) => [stage, { enabled: chains.has(stage), chain: chains.get(stage) ?? [], suppressed: [] }]),
    ),
    endpoints,
    ...change,
  });
}
