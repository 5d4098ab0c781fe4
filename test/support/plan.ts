import { parseConfig } from '../../src/config.js';
import { findPreset } from '../../src/presets.js';
import { profileFields } from '../../src/profile.js';
import { PlanRefused, resolvePlan } from '../../src/resolve-plan.js';
import type { PlanInput } from '../../src/resolve-plan.js';
import type { RunPlan } from '../../src/run-plan.js';

export interface Given {
  readonly profile?: string;
  readonly config?: Record<string, unknown>;
  readonly overrides?: Record<string, unknown>;
  readonly rest?: Partial<PlanInput>;
}

/** The plan of a shipped profile (default `local`) with a configuration and overrides laid over it. */
export function plan({ profile = 'local', config = {}, overrides = {}, rest = {} }: Given): RunPlan {
  const preset = findPreset(profile);
  if (preset === undefined) throw new Error(`no preset ${profile}`);
  const parsed = parseConfig(config, 'test');
  if (parsed.faults.length > 0) throw new PlanRefused(parsed.faults);
  return resolvePlan({
    batchId: 'b1',
    corpusDir: '/corpus',
    dgxHost: 'box',
    profile: { name: profile, fields: profileFields(preset) },
    config: parsed.config,
    overrides,
    ...rest,
  });
}

/** Why the plan is refused; empty when it is not. */
export function faultsOf(given: Given): readonly string[] {
  try {
    plan(given);
  } catch (error) {
    if (error instanceof PlanRefused) return error.faults;
    throw error;
  }
  return [];
}
