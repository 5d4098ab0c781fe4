import { emptyConfig, parseConfig } from './config.js';
import type { HoldfastConfig } from './config.js';
import { policyLayerOf } from './knob-layers.js';
import { parseKnobs } from './knobs.js';
import type { KnobValues } from './knobs.js';
import { resolvePosture } from './policy-defaults.js';
import { endpointSettings } from './resolve-endpoint.js';
import type { Places } from './resolve-endpoint.js';
import { resolveStage } from './resolve-stage.js';
import type { RunFrame } from './resolve-stage.js';
import type { KnobLayer } from './resolve-chain.js';
import { runPlanSchema } from './run-plan.js';
import type { RunPlan, StagePlan } from './run-plan.js';
import { stages } from './stage.js';
import type { Stage } from './stage.js';

export interface PlanInput extends Omit<Places, 'config'> {
  readonly batchId: string;
  /** Absolute path of the corpus. */
  readonly corpusDir: string;
  /** The shipped profile that the run starts from, as its file has it. */
  readonly profile: { readonly name: string; readonly fields: Readonly<Record<string, unknown>> };
  /** Parsed configuration: the site's with the run's laid over it. */
  readonly config?: HoldfastConfig;
  /** Name of the run's own configuration file, without extension, where it has one; it names the plan. */
  readonly configName?: string;
  /** Knobs of the run's input; they win over profile and configuration. */
  readonly overrides?: Readonly<Record<string, unknown>>;
}

/** Thrown by `resolvePlan`: everything that is wrong with a run's profile, configuration and input, at once. */
export class PlanRefused extends Error {
  override readonly name = 'PlanRefused';
  constructor(readonly faults: readonly string[]) {
    super(`The run cannot start: ${faults.join(' | ')}`);
  }
}

/** LLM calls that one episode may make (ADR-113). */
const defaultCallBudget = 1500;

/** Names that promise a corpus of one model (ADR-122). */
const reprocessName = /^(reprocess|experiment_dgx)_/;

function refuseFailoverByName(names: readonly string[], frame: RunFrame, explicit: boolean): string[] {
  if (frame.failureStrategy === 'hold' || explicit) return [];
  return names
    .filter((name) => reprocessName.test(name))
    .map(
      (name) =>
        `profile "${name}" resolves to failover without saying so: set resilience_run_context: reprocess and ` +
        'resilience_failure_strategy: hold, or state resilience_failure_strategy: failover',
    );
}

function mergeKnobs(layers: readonly KnobLayer[]): KnobValues {
  return Object.assign({}, ...layers.map((layer) => layer.knobs)) as KnobValues;
}

function frameOf(layers: readonly KnobLayer[], places: Places): RunFrame & { explicit: boolean } {
  const knobs = mergeKnobs(layers);
  // Posture is the run's: no stage has a strategy of its own.
  const posture = resolvePosture(layers.map((layer) => policyLayerOf(layer.knobs, 'llm')));
  return { layers, knobs, places, ...posture, allowCloudFallback: knobs.allow_cloud_fallback ?? true };
}

function endpointsOf(stagePlans: readonly StagePlan[], places: Places): RunPlan['endpoints'] {
  const endpoints: RunPlan['endpoints'] = {};
  for (const tier of stagePlans.flatMap((plan) => plan.chain)) {
    endpoints[tier.endpointId] ??= endpointSettings(tier, places);
  }
  return endpoints;
}

/**
 * Everything a run needs, from registry, profile, configuration and run input, lowest first; explicit values win in
 * any layer. Pure: the same input gives the same plan however the profile was named. Throws `PlanRefused` with all
 * faults at once.
 */
export function resolvePlan(input: PlanInput): RunPlan {
  const config = input.config ?? emptyConfig;
  const profile = parseConfig(input.profile.fields, `profile ${input.profile.name}`);
  const overrides = parseKnobs(input.overrides ?? {}, 'overrides');
  const layers: KnobLayer[] = [
    { where: `profile ${input.profile.name}`, knobs: profile.config.knobs },
    { where: 'configuration', knobs: config.knobs },
    { where: 'overrides', knobs: overrides.values },
  ];
  const places: Places = { config, dgxHost: input.dgxHost, localUrls: input.localUrls };
  const frame = frameOf(layers, places);
  const name = input.configName ?? input.profile.name;
  const faults = [
    ...profile.faults,
    ...overrides.faults,
    ...refuseFailoverByName([...new Set([name, input.profile.name])], frame, frame.explicit),
  ];
  const stagePlans = Object.fromEntries(stages.map((stage) => [stage, resolveStage(frame, stage, faults)])) as Record<
    Stage,
    StagePlan
  >;
  if (stages.every((stage) => !stagePlans[stage].enabled) && faults.length === 0) {
    faults.push('every stage is disabled: nothing to do');
  }
  if (faults.length > 0) throw new PlanRefused([...new Set(faults)]);
  return runPlanSchema.parse({
    batchId: input.batchId,
    profile: name,
    runContext: frame.runContext,
    failureStrategy: frame.failureStrategy,
    allowCloudFallback: frame.allowCloudFallback,
    transcriptCacheEnabled: frame.knobs.transcript_cache_enabled ?? frame.runContext === 'serve',
    corpusDir: input.corpusDir,
    callBudgetPerEpisode: frame.knobs.call_budget_per_episode ?? defaultCallBudget,
    callBudgetPerBatch: frame.knobs.call_budget_per_batch,
    coverageMin: frame.knobs.transcription_coverage_min ?? 0,
    stages: stagePlans,
    endpoints: endpointsOf(Object.values(stagePlans), places),
  });
}
