import type { KnobName, KnobValues } from './knobs.js';
import { findOption } from './model-registry.js';
import { chainNames } from './model-registry-types.js';
import type { ChainName } from './model-registry-types.js';
import type { ProfilePreset } from './preset.js';
import { findPreset, presets } from './presets.js';

/** A profile as its file holds it, in the file's order. `null`: the default of the strategy, the context or the option. */
export type ProfileFields = Readonly<Record<string, unknown>>;

/** Always written, so that the file shows what governs a run even where it leaves a value to the strategy. */
const governed = [
  'resilience_run_context',
  'resilience_failure_strategy',
  'resilience_retries_before_trip',
  'resilience_backoff_schedule_sec',
  'resilience_per_episode_max_wait_sec',
  'resilience_on_open_max_wait_sec',
  'resilience_probe_interval_sec',
  'transcript_cache_enabled',
  'allow_cloud_fallback',
  'prefer_configured_llm',
  'transcription_coverage_min',
] as const satisfies readonly KnobName[];

/** Values that a preset which does not say otherwise is written with. */
const stated: KnobValues = { allow_cloud_fallback: true, prefer_configured_llm: false, transcription_coverage_min: 0 };

function chainFields(knobs: KnobValues, chain: ChainName): Record<string, unknown> {
  const optionId = knobs[chain];
  const ownsModel = chain !== 'gi' && chain !== 'kg';
  const enabled = { [`${chain}_enabled`]: knobs[`${chain}_enabled`] ?? true };
  if (!ownsModel && optionId === undefined) return enabled;
  const fallback = knobs[`${chain}_fallback`] ?? [];
  return {
    ...enabled,
    [chain]: optionId ?? null,
    [`${chain}_provider`]: optionId === undefined ? null : findOption(optionId)?.provider,
    [`${chain}_fallback`]: fallback,
    [`${chain}_fallback_providers`]: fallback.map((id) => findOption(id)?.provider),
  };
}

/** The fields of `profiles/<name>.yaml`: option ids, and the providers' names beside them. */
export function profileFields(preset: ProfilePreset): ProfileFields {
  const { name, description, knobs } = preset;
  const fields: Record<string, unknown> = { profile: name, description };
  for (const knob of governed) fields[knob] = knobs[knob] ?? stated[knob] ?? null;
  for (const chain of Object.values(chainNames)) Object.assign(fields, chainFields(knobs, chain));
  // The rest, e.g. ladders of one kind of stage and methods.
  for (const [knob, value] of Object.entries(knobs)) fields[knob] ??= value;
  return fields;
}

/** One difference between a profile file and the registry. */
export interface ProfileDrift {
  readonly profile: string;
  /** The field that differs; undefined: the file as a whole. */
  readonly field?: string;
  readonly problem: string;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

function fieldDrifts(profile: string, expected: ProfileFields, found: ProfileFields): ProfileDrift[] {
  const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
  return [...names].flatMap((field) => {
    const [want, got] = [shown(expected[field]), shown(found[field])];
    return want === got ? [] : [{ profile, field, problem: `the registry says ${want}, the file says ${got}` }];
  });
}

/**
 * Compares profile files with the registry. `files` holds each file's parsed content by profile name; what could not
 * be parsed is a string that says why. Every field is governed, so every difference is drift.
 */
export function checkProfiles(files: Readonly<Record<string, unknown>>): ProfileDrift[] {
  const missing = presets
    .filter((preset) => !(preset.name in files))
    .map((preset) => ({ profile: preset.name, problem: 'the file is missing' }));
  const differing = Object.entries(files).flatMap(([profile, content]): ProfileDrift[] => {
    const preset = findPreset(profile);
    if (preset === undefined) return [{ profile, problem: 'the registry has no such profile' }];
    if (typeof content !== 'object' || content === null) {
      return [{ profile, problem: `not a mapping of fields: ${shown(content)}` }];
    }
    return fieldDrifts(profile, profileFields(preset), content as ProfileFields);
  });
  return [...missing, ...differing];
}

/** One line for people: profile, field, and both values. */
export function describeDrift(drift: ProfileDrift): string {
  return `${drift.profile}${drift.field === undefined ? '' : `: ${drift.field}`}: ${drift.problem}`;
}
