import type { FailureStrategy, ResiliencePolicy, RunContext } from './resilience-policy.js';
import { isLlmStage } from './stage.js';
import type { Stage } from './stage.js';

/**
 * What one layer (registry option, profile, file, run input) says about the policy. Only what it really says: an
 * absent field is filled by the strategy's default after all layers are merged, never before.
 */
export type PolicyLayer = {
  readonly [Knob in keyof ResiliencePolicy]?: ResiliencePolicy[Knob] | undefined;
} & { readonly runContext?: RunContext | undefined };

/** The context of a run in which no layer names one (ADR-122: serving is today's behaviour). */
export const defaultRunContext: RunContext = 'serve';

const onOpenMaxWaitSec = 900;

const holdDefaults = {
  failureStrategy: 'hold',
  retriesBeforeTrip: 3,
  backoffScheduleSec: [30, 60, 120],
  onOpenMaxWaitSec,
} as const;

const failoverDefaults = {
  failureStrategy: 'failover',
  retriesBeforeTrip: 2,
  backoffScheduleSec: [5, 10],
  onOpenMaxWaitSec,
} as const;

const failoverLlmDefaults = {
  failureStrategy: 'failover',
  retriesBeforeTrip: 3,
  backoffScheduleSec: [1, 2, 4, 8, 16, 30],
  onOpenMaxWaitSec,
} as const;

/**
 * The table of design.md section 3 (ADR-122). Under failover a hard timeout is never retried, whatever
 * `retriesBeforeTrip` says: the figure here counts for softer faults.
 */
export function policyDefaults(strategy: FailureStrategy, stage: Stage): ResiliencePolicy {
  const defaults = strategy === 'hold' ? holdDefaults : isLlmStage(stage) ? failoverLlmDefaults : failoverDefaults;
  return { ...defaults, backoffScheduleSec: [...defaults.backoffScheduleSec] };
}

/** The context supplies a default strategy and nothing else (ADR-122, decision update). */
export function strategyOf(runContext: RunContext): FailureStrategy {
  return runContext === 'reprocess' ? 'hold' : 'failover';
}

/** Merges layers, lowest first; only values that a layer really gives count. */
export function mergeLayers(layers: readonly PolicyLayer[]): PolicyLayer {
  const given = layers.flatMap((layer) => Object.entries(layer).filter(([, value]) => value !== undefined));
  return Object.fromEntries(given);
}

/**
 * The posture of a run: the explicit strategy of the highest layer that has one, else the merged context's default.
 * `explicit` tells which of the two it was.
 */
export function resolvePosture(layers: readonly PolicyLayer[]): {
  runContext: RunContext;
  failureStrategy: FailureStrategy;
  explicit: boolean;
} {
  const merged = mergeLayers(layers);
  const runContext = merged.runContext ?? defaultRunContext;
  const failureStrategy = merged.failureStrategy ?? strategyOf(runContext);
  return { runContext, failureStrategy, explicit: merged.failureStrategy !== undefined };
}

export interface PolicySubject {
  /** Context of the run, where no layer names one; default `serve`. */
  readonly runContext?: RunContext;
  readonly stage: Stage;
  /** The registry option, whose measured figures are the lowest layer. */
  readonly option?: { readonly policy?: PolicyLayer };
}

/**
 * The policy of one stage call. Explicit values win in any layer, higher layers over lower ones (registry option,
 * profile, file, run input); the strategy comes from the merged context when no layer gave it; every knob still open
 * then has its strategy's default.
 */
export function resolvePolicy(layers: readonly PolicyLayer[], subject: PolicySubject): ResiliencePolicy {
  const context: PolicyLayer = subject.runContext === undefined ? {} : { runContext: subject.runContext };
  const all = [context, subject.option?.policy ?? {}, ...layers];
  const { failureStrategy } = resolvePosture(all);
  const merged = mergeLayers(all);
  const knobs = Object.fromEntries(Object.entries(merged).filter(([knob]) => knob !== 'runContext'));
  return { ...policyDefaults(failureStrategy, subject.stage), ...knobs, failureStrategy };
}
