import type { KnobValues } from './knobs.js';

/** A profile as the registry defines it (RFC-106, `ProfilePreset`); `profiles/<name>.yaml` is its view. */
export interface ProfilePreset {
  readonly name: string;
  readonly description: string;
  /** Only what the preset decides; everything else is the strategy's, the context's or the option's default. */
  readonly knobs: KnobValues;
}

export const serve = { resilience_run_context: 'serve' } as const satisfies KnobValues;

/**
 * Of every profile named `reprocess_*` or `experiment_dgx_*`: said in the profile itself, so that it holds however the
 * profile is loaded (ADR-122, findings of 2026-07-22).
 */
export const reprocessHold = {
  resilience_run_context: 'reprocess',
  resilience_failure_strategy: 'hold',
  transcript_cache_enabled: false,
} as const satisfies KnobValues;

/** The same box serves all of it (`community-1` on the GPU box, one pass). */
export const dgxDiarization = { diarization: 'tailnet_dgx_diarization_community1' } as const satisfies KnobValues;
export const localDiarization = { diarization: 'pyannote_diarization_community1' } as const satisfies KnobValues;
export const cloudDiarization = { diarization: 'deepgram_diarization_nova3' } as const satisfies KnobValues;
export const noDiarization = { diarization: 'no_diarization' } as const satisfies KnobValues;

const llmGrounding = { kg_method: 'provider_n10_15', grounding: 'llm_matched_to_summary' } as const;
export const giV25 = { gi_method: 'provider_chunked_gated_v25', ...llmGrounding } as const satisfies KnobValues;
export const giV3 = { gi_method: 'provider_chunked_gated_v3', ...llmGrounding } as const satisfies KnobValues;
export const giByModels = { ...giV3, grounding: 'ml_qa_nli' } as const satisfies KnobValues;

export const deepseekFallback = { summary_fallback: ['deepseek_native_flash'] } satisfies KnobValues;
export const noText = { summary_enabled: false, gi_enabled: false, kg_enabled: false } as const satisfies KnobValues;
