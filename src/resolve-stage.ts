import { deadlineWith, policyLayerOf, scopeOf } from './knob-layers.js';
import type { KnobValues } from './knobs.js';
import { findOption, optionIdsOf, reprocessDiarizationBaseSec, stageDeadlines } from './model-registry.js';
import { chainNames } from './model-registry-types.js';
import type { ChainName, RegistryStage, StageOption } from './model-registry-types.js';
import { suggestion } from './nearest-name.js';
import { resolvePolicy } from './policy-defaults.js';
import type { FailureStrategy, RunContext } from './resilience-policy.js';
import { chooseOptions } from './resolve-chain.js';
import type { KnobLayer } from './resolve-chain.js';
import { buildTarget, isCloudOption } from './resolve-endpoint.js';
import type { Places } from './resolve-endpoint.js';
import type { StagePlan, Tier } from './run-plan.js';
import type { Stage } from './stage.js';

/** What all stages of a run share while its plan is resolved. */
export interface RunFrame {
  readonly layers: readonly KnobLayer[];
  /** All layers merged. */
  readonly knobs: KnobValues;
  readonly places: Places;
  readonly runContext: RunContext;
  readonly failureStrategy: FailureStrategy;
  readonly allowCloudFallback: boolean;
}

type StageFrame = RunFrame & { readonly stage: Stage } & Pick<Tier, 'settings'>;

const disabled: StagePlan = { enabled: false, chain: [], suppressed: [] };

function deadlineOf(frame: RunFrame, chain: ChainName, option: StageOption): Tier['deadline'] {
  const ofStage = stageDeadlines[chain];
  const patient = chain === 'diarization' && frame.runContext === 'reprocess';
  const base = patient ? { ...ofStage, baseSec: reprocessDiarizationBaseSec } : ofStage;
  return deadlineWith(frame.knobs, scopeOf(chain), option.deadline ?? base);
}

function buildTier(frame: StageFrame, option: StageOption): { tier: Tier } | { reason: string } {
  const built = buildTarget(option, frame.places);
  if ('reason' in built) return built;
  const { stage } = frame;
  const chain = chainNames[stage];
  const policyLayers = frame.layers.map((layer) => policyLayerOf(layer.knobs, scopeOf(chain)));
  const tier: Tier = {
    optionId: option.optionId,
    provider: option.provider,
    ...built.target,
    cloud: isCloudOption(option),
    deadline: deadlineOf(frame, chain, option),
    ...(option.limits === undefined ? {} : { limits: option.limits }),
    ...(frame.settings === undefined ? {} : { settings: frame.settings }),
    policy: resolvePolicy(policyLayers, { stage, option }),
  };
  return { tier };
}

/** Why a fallback is left out, or undefined. */
function suppressionReason(frame: RunFrame, option: StageOption): string | undefined {
  if (isCloudOption(option) && !frame.allowCloudFallback) return 'allow_cloud_fallback is false';
  if (frame.failureStrategy === 'hold') return 'hold: the chosen model is the only one';
  return undefined;
}

type TierBuilder = (option: StageOption) => { tier: Tier } | { reason: string };

function addFallbacks(plan: StagePlan, fallback: readonly StageOption[], build: TierBuilder): void {
  for (const option of fallback) {
    const built = build(option);
    if ('reason' in built) {
      plan.suppressed.push({ optionId: option.optionId, reason: built.reason });
      continue;
    }
    const { tier } = built;
    const same = plan.chain.find((other) => other.endpointId === tier.endpointId && other.model === tier.model);
    if (same === undefined) plan.chain.push(tier);
    else {
      const reason = `same model at the same endpoint as ${same.optionId}`;
      plan.suppressed.push({ optionId: option.optionId, reason });
    }
  }
}

/** Figures of the methods that a stage names (`gi_method`, `kg_method`, `grounding`). */
function methodSettings(frame: RunFrame, stage: Stage, faults: string[]): Pick<Tier, 'settings'> {
  const methods: readonly (readonly [knob: string, stage: RegistryStage, optionId: string | undefined])[] =
    stage === 'gi'
      ? [
          ['gi_method', 'gi', frame.knobs.gi_method],
          ['grounding', 'grounding', frame.knobs.grounding],
          ['speaker_detector', 'ner', frame.knobs.speaker_detector],
        ]
      : stage === 'kg'
        ? [['kg_method', 'kg', frame.knobs.kg_method]]
        : [];
  const settings: NonNullable<Tier['settings']> = {};
  for (const [knob, registryStage, optionId] of methods) {
    if (optionId === undefined) continue;
    const option = findOption(optionId);
    if (option?.stage === registryStage) Object.assign(settings, option.settings);
    else faults.push(`${knob}: unknown option "${optionId}"${suggestion(optionId, optionIdsOf(registryStage))}`);
  }
  return Object.keys(settings).length === 0 ? {} : { settings };
}

/**
 * One stage of the plan. Under hold the chain is the chosen option alone and the rest is in `suppressed` with its
 * reason; a chosen option that is paid where paid ones are not allowed, or that cannot be built, is a fault.
 */
export function resolveStage(frame: RunFrame, stage: Stage, faults: string[]): StagePlan {
  const chain = chainNames[stage];
  const settings = methodSettings(frame, stage, faults);
  if (frame.knobs[`${chain}_enabled`] === false) return disabled;
  const { layers, places } = frame;
  const chosen = chooseOptions({ chain, layers, config: places.config, isCloud: isCloudOption }, faults);
  const { primary } = chosen;
  // A chain that follows the summary's has the summary's faults: they are told once.
  const told = chosen.follows && frame.knobs.summary_enabled !== false ? [] : faults;
  if (primary?.provider === 'none') return disabled;
  if (primary === undefined) {
    if (!chosen.named) told.push(`${chain}: no option chosen; set ${chain}, or ${chain}_enabled: false`);
    return disabled;
  }
  if (isCloudOption(primary) && !frame.allowCloudFallback) {
    told.push(`${chain}: "${primary.optionId}" is a cloud option, and allow_cloud_fallback is false`);
  }
  const plan: StagePlan = { enabled: true, chain: [], suppressed: [] };
  const build: TierBuilder = (option) => buildTier({ ...frame, stage, ...settings }, option);
  const built = build(primary);
  if ('reason' in built) told.push(`${chain}: "${primary.optionId}" cannot be built: ${built.reason}`);
  else plan.chain.push(built.tier);
  for (const { optionId } of chosen.alreadyChosen) {
    plan.suppressed.push({ optionId, reason: 'it is the chosen option' });
  }
  addFallbacks(plan, chosen.fallback, (option) => {
    const reason = suppressionReason(frame, option);
    return reason === undefined ? build(option) : { reason };
  });
  return plan;
}
