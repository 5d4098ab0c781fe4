import { z } from 'zod';
import { suggestion } from './nearest-name.js';
import { failureStrategySchema, resiliencePolicySchema, runContextSchema } from './resilience-policy.js';

const policy = resiliencePolicySchema.shape;
const retries = policy.retriesBeforeTrip.describe('a whole number 0..20: retries after the first try');
const schedule = policy.backoffScheduleSec.describe('seconds, 1..32 values, each 0..3600; the last one repeats');
const maxWait = policy.perEpisodeMaxWaitSec.unwrap().describe('seconds, above 0, at most 604800');
const baseSec = z.number().positive().max(86_400).describe('seconds, above 0, at most 86400');
const perMinuteSec = z.number().min(0).max(3600).describe('seconds a minute of audio, 0..3600');
const share = z.number().min(0).max(1).describe('a share 0..1; 0: not checked');
const enabled = z.boolean().describe('true or false');
const name = z.string().trim().min(1);
const optionId = name.describe('an option id of the registry');
const optionIds = z.array(name).max(16).describe('option ids of the registry, in order');
const provider = name.describe("a provider's name");
const providers = z.array(name).max(16).describe("providers' names, in order; written beside the option ids");

/**
 * Every knob by its YAML name (ADR-122's, where it has one) with its range. Profiles, `holdfast.config.yaml`,
 * `overrides` of `batch.json` and `--set` all take exactly these.
 */
export const knobSchemas = {
  resilience_run_context: runContextSchema.describe('serve or reprocess'),
  resilience_failure_strategy: failureStrategySchema.describe('failover or hold'),
  resilience_retries_before_trip: retries,
  resilience_backoff_schedule_sec: schedule,
  resilience_per_episode_max_wait_sec: maxWait,
  resilience_on_open_max_wait_sec: policy.onOpenMaxWaitSec.describe('seconds, above 0, at most 604800'),
  resilience_probe_interval_sec: policy.probeIntervalSec.unwrap().describe('seconds, above 0, at most 3600'),
  resilience_jitter: policy.jitter.unwrap().describe('a share of the wait, 0..1'),
  transcription_resilience_retries_before_trip: retries,
  transcription_resilience_backoff_schedule_sec: schedule,
  transcription_resilience_per_episode_max_wait_sec: maxWait,
  diarization_resilience_retries_before_trip: retries,
  diarization_resilience_backoff_schedule_sec: schedule,
  diarization_resilience_per_episode_max_wait_sec: maxWait,
  llm_resilience_retries_before_trip: retries,
  llm_resilience_backoff_schedule_sec: schedule,
  llm_resilience_per_episode_max_wait_sec: maxWait,
  transcription_timeout_base_sec: baseSec,
  transcription_timeout_sec_per_audio_minute: perMinuteSec,
  diarization_timeout_base_sec: baseSec,
  diarization_timeout_sec_per_audio_minute: perMinuteSec,
  llm_timeout_base_sec: baseSec,
  llm_timeout_sec_per_audio_minute: perMinuteSec,
  transcript_cache_enabled: enabled,
  allow_cloud_fallback: enabled,
  prefer_configured_llm: enabled,
  call_budget_per_episode: z.number().int().min(1).max(1_000_000).describe('a whole number 1..1000000'),
  call_budget_per_batch: z.number().int().min(1).max(1_000_000_000).describe('a whole number 1..1000000000'),
  transcription_coverage_min: share,
  transcription_enabled: enabled,
  transcription: optionId,
  transcription_provider: provider,
  transcription_fallback: optionIds,
  transcription_fallback_providers: providers,
  transcription_fallback_provider: provider,
  diarization_enabled: enabled,
  diarization: optionId,
  diarization_provider: provider,
  diarization_fallback: optionIds,
  diarization_fallback_providers: providers,
  diarization_fallback_provider: provider,
  summary_enabled: enabled,
  summary: optionId,
  summary_provider: provider,
  summary_fallback: optionIds,
  summary_fallback_providers: providers,
  summary_fallback_provider: provider,
  gi_enabled: enabled,
  gi: optionId,
  gi_provider: provider,
  gi_fallback: optionIds,
  gi_fallback_providers: providers,
  gi_fallback_provider: provider,
  gi_method: optionId,
  kg_enabled: enabled,
  kg: optionId,
  kg_provider: provider,
  kg_fallback: optionIds,
  kg_fallback_providers: providers,
  kg_fallback_provider: provider,
  kg_method: optionId,
  grounding: optionId,
  speaker_detector: optionId,
} as const;

export type KnobName = keyof typeof knobSchemas;
export type KnobValues = { readonly [Name in KnobName]?: z.infer<(typeof knobSchemas)[Name]> };

export const knobNames = Object.keys(knobSchemas) as KnobName[];

export function isKnobName(text: string): text is KnobName {
  return Object.hasOwn(knobSchemas, text);
}

/** What a knob takes, in words. */
export function knobAllows(knob: KnobName): string {
  return knobSchemas[knob].description ?? 'see the documentation';
}

/** The readings of a value: as it is, then what a command line's text may have meant. */
function readings(value: unknown): unknown[] {
  if (typeof value === 'number') return [value, [value]];
  if (typeof value !== 'string') return [value];
  const text = value.trim();
  const parts = text.replace(/^\[(.*)\]$/s, '$1').split(',');
  const items = parts.map((part) => part.trim()).filter((part) => part !== '');
  const asNumber = text === '' ? [] : [Number(text)];
  const asBoolean = text === 'true' || text === 'false' ? [text === 'true'] : [];
  return [text, ...asNumber, ...asBoolean, items.map(Number), items];
}

/** One knob's value by its own schema, or undefined when no reading of it is legal. */
export function coerceKnob(knob: KnobName, value: unknown): unknown {
  for (const reading of readings(value)) {
    const parsed = knobSchemas[knob].safeParse(reading);
    if (parsed.success) return parsed.data;
  }
  return undefined;
}

function shown(value: unknown): string {
  return JSON.stringify(value);
}

/**
 * Reads knobs by their YAML names; text is coerced by the knob's own schema and `null` leaves a knob unset. Never
 * throws: every unknown name (with the nearest known one) and every illegal value (with what was got and what is
 * allowed) is one line of `faults`, each saying `where` it stood.
 */
export function parseKnobs(
  raw: Readonly<Record<string, unknown>>,
  where: string,
): { values: KnobValues; faults: string[] } {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [knob, value] of Object.entries(raw)) {
    if (!isKnobName(knob)) {
      faults.push(`${where}: unknown knob "${knob}"${suggestion(knob, knobNames)}`);
    } else if (value !== null && value !== undefined) {
      const coerced = coerceKnob(knob, value);
      if (coerced === undefined) faults.push(`${where}: ${knob}: got ${shown(value)}, allowed: ${knobAllows(knob)}`);
      else values[knob] = coerced;
    }
  }
  return { values, faults };
}

/** Splits `knob=value` texts of `--set`; one without a name or an equals sign is a fault. */
export function parseAssignments(assignments: readonly string[]): { raw: Record<string, string>; faults: string[] } {
  const raw: Record<string, string> = {};
  const faults: string[] = [];
  for (const assignment of assignments) {
    const equals = assignment.indexOf('=');
    if (equals < 1) faults.push(`--set: got "${assignment}", expected knob=value`);
    else raw[assignment.slice(0, equals).trim()] = assignment.slice(equals + 1);
  }
  return { raw, faults };
}
