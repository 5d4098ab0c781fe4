import type { KnobValues } from './knobs.js';
import type { ChainName } from './model-registry-types.js';
import type { PolicyLayer } from './policy-defaults.js';
import type { Tier } from './run-plan.js';

/** The three kinds of stage that have knobs of their own beside the run's. */
export type PolicyScope = 'transcription' | 'diarization' | 'llm';

export function scopeOf(chain: ChainName): PolicyScope {
  return chain === 'transcription' || chain === 'diarization' ? chain : 'llm';
}

/** The `resilience_…` knobs of one layer as a policy layer; a stage's own knob wins over the run's of the same layer. */
export function policyLayerOf(knobs: KnobValues, scope: PolicyScope): PolicyLayer {
  return {
    runContext: knobs.resilience_run_context,
    failureStrategy: knobs.resilience_failure_strategy,
    retriesBeforeTrip: knobs[`${scope}_resilience_retries_before_trip`] ?? knobs.resilience_retries_before_trip,
    backoffScheduleSec: knobs[`${scope}_resilience_backoff_schedule_sec`] ?? knobs.resilience_backoff_schedule_sec,
    perEpisodeMaxWaitSec:
      knobs[`${scope}_resilience_per_episode_max_wait_sec`] ?? knobs.resilience_per_episode_max_wait_sec,
    onOpenMaxWaitSec: knobs.resilience_on_open_max_wait_sec,
    probeIntervalSec: knobs.resilience_probe_interval_sec,
    jitter: knobs.resilience_jitter,
  };
}

/** An option's deadline with the merged knobs laid over it. */
export function deadlineWith(knobs: KnobValues, scope: PolicyScope, deadline: Tier['deadline']): Tier['deadline'] {
  return {
    baseSec: knobs[`${scope}_timeout_base_sec`] ?? deadline.baseSec,
    perAudioMinuteSec: knobs[`${scope}_timeout_sec_per_audio_minute`] ?? deadline.perAudioMinuteSec,
  };
}
