import path from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import type { BatchInput } from '../../src/batch.js';
import { emptyConfig, mergeConfigs } from '../../src/config.js';
import type { HoldfastConfig } from '../../src/config.js';
import type { FailureType } from '../../src/failure.js';
import { parseKnobs } from '../../src/knobs.js';
import { defaultProfileName, unknownProfile } from '../../src/presets.js';
import { PlanRefused, resolvePlan } from '../../src/resolve-plan.js';
import type { PlanInput } from '../../src/resolve-plan.js';
import type { RunPlan } from '../../src/run-plan.js';
import type { BatchActivities } from '../contracts.js';
import { loadConfigFile } from './load-config.js';
import { listProfiles } from './profile-files.js';
import { readYaml } from './read-yaml.js';

/** What the worker knows and a run's input does not say. */
export interface PlanDependencies {
  readonly profilesDir: string;
  /** Relative paths of a run's input start here. */
  readonly workingDir: string;
  /** The site's own configuration; a run's `config` is laid over it. */
  readonly site?: HoldfastConfig;
  readonly dgxHost?: string | undefined;
  /** URLs of the local services that are up, by endpoint id. */
  readonly localUrls?: Readonly<Record<string, string>> | undefined;
}

export interface PlanRequest {
  readonly batchId: string;
  readonly input: Pick<BatchInput, 'profile' | 'config' | 'overrides' | 'corpusDir'>;
}

type RunConfig = { config: HoldfastConfig; faults: readonly string[]; fileName?: string };

async function readRunConfig(request: PlanRequest, deps: PlanDependencies): Promise<RunConfig> {
  const site = deps.site ?? emptyConfig;
  const { config: file, profile } = request.input;
  if (file === undefined) return { config: site, faults: [] };
  const loaded = await loadConfigFile(path.resolve(deps.workingDir, file));
  const both = profile === undefined ? [] : ['input: give profile or config, not both'];
  return {
    config: mergeConfigs(site, loaded.config),
    faults: [...loaded.faults, ...both],
    // A file that names the profile it changes goes by that profile's name.
    ...(loaded.config.profile === undefined ? { fileName: path.basename(file).replace(/\.[^.]*$/, '') } : {}),
  };
}

async function readProfile(
  name: string,
  directory: string,
): Promise<{ profile: PlanInput['profile'] } | { faults: readonly string[] }> {
  const known = await listProfiles(directory);
  if (!known.includes(name)) {
    return { faults: [unknownProfile(name, known)] };
  }
  const file = path.join(directory, `${name}.yaml`);
  const yaml = await readYaml(file);
  if ('faults' in yaml) return yaml;
  const { content } = yaml;
  if (typeof content !== 'object' || content === null) return { faults: [`${file}: expected a mapping of fields`] };
  return { profile: { name, fields: content as Record<string, unknown> } };
}

/**
 * Reads the profile and configuration files that a run names and resolves its plan. Throws `PlanRefused` with every
 * fault of all of them at once.
 */
export async function planOf({ request, deps }: { request: PlanRequest; deps: PlanDependencies }): Promise<RunPlan> {
  const { batchId, input } = request;
  const { config, faults, fileName } = await readRunConfig(request, deps);
  const profileName = input.profile ?? config.profile ?? defaultProfileName;
  const read = await readProfile(profileName, deps.profilesDir);
  if ('faults' in read) {
    const overrides = parseKnobs(input.overrides ?? {}, 'overrides');
    throw new PlanRefused([...faults, ...read.faults, ...overrides.faults]);
  }
  const planInput: PlanInput = {
    batchId,
    corpusDir: path.resolve(deps.workingDir, input.corpusDir ?? config.store?.corpusDir ?? 'corpus'),
    profile: read.profile,
    config,
    ...(fileName === undefined ? {} : { configName: fileName }),
    overrides: input.overrides ?? {},
    dgxHost: deps.dgxHost,
    localUrls: deps.localUrls,
  };
  try {
    const plan = resolvePlan(planInput);
    if (faults.length > 0) throw new PlanRefused(faults);
    return plan;
  } catch (error) {
    if (error instanceof PlanRefused) throw new PlanRefused([...new Set([...faults, ...error.faults])]);
    throw error;
  }
}

/** The activity `resolveRunPlan`: a refused plan is `InvalidInput`, never retried, with every fault in its message. */
export function createResolveRunPlan(deps: PlanDependencies): BatchActivities['resolveRunPlan'] {
  return async (request) => {
    try {
      return await planOf({ request, deps });
    } catch (error) {
      if (!(error instanceof PlanRefused)) throw error;
      const type: FailureType = 'InvalidInput';
      throw ApplicationFailure.nonRetryable(error.message, type, { faults: error.faults });
    }
  };
}
