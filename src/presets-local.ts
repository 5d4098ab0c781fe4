import { giByModels, giV3, localDiarization, serve } from './preset.js';
import type { ProfilePreset } from './preset.js';

/**
 * Profiles that need nothing but the machine they run on. The summarizers of the last three are in-process Python models
 * that nothing here speaks to, so a configured local LLM takes their place.
 */
export const localPresets: readonly ProfilePreset[] = [
  {
    name: 'local',
    description:
      'any laptop, nothing but this project: its own whisper, its own diarizer, extractive text (an LLM where one is configured)',
    knobs: {
      resilience_run_context: 'reprocess',
      transcription: 'local_whisper_cpp_tiny_en',
      diarization: 'local_sherpa_diarizer',
      summary: 'local_extractive',
      prefer_configured_llm: true,
    },
  },
  {
    name: 'local_ollama',
    description:
      "this machine alone, larger models that you serve yourself: whisper small.en, pyannote, Ollama's hermes3 8B",
    knobs: {
      ...serve,
      ...localDiarization,
      ...giV3,
      transcription: 'local_whisper_small_en',
      summary: 'ollama_hermes3_8b_laptop',
      speaker_detector: 'spacy_trf',
    },
  },
  {
    name: 'airgapped',
    description:
      'no network at all, never a cloud: whisper medium.en, pyannote, and a language model of your own (endpoint local-llm)',
    knobs: {
      ...serve,
      ...localDiarization,
      ...giByModels,
      prefer_configured_llm: true,
      allow_cloud_fallback: false,
      transcription: 'local_whisper_medium_en',
      summary: 'summllama_3_2_3b_paragraph',
      speaker_detector: 'spacy_trf',
    },
  },
  {
    name: 'airgapped_thin',
    description: 'as airgapped with the smallest whisper (tiny.en)',
    knobs: {
      ...serve,
      ...localDiarization,
      ...giByModels,
      prefer_configured_llm: true,
      allow_cloud_fallback: false,
      transcription: 'local_whisper_tiny_en',
      summary: 'transformers_bart_small_long_fast_authority',
      speaker_detector: 'spacy_sm',
    },
  },
  {
    name: 'dev',
    description:
      'for development: the smallest whisper, pyannote, and only a summary by your own language model (endpoint local-llm)',
    knobs: {
      ...serve,
      ...localDiarization,
      ...giByModels,
      prefer_configured_llm: true,
      transcription: 'local_whisper_tiny_en',
      summary: 'transformers_bart_small_long_fast_authority',
      gi_enabled: false,
      kg_enabled: false,
      speaker_detector: 'spacy_sm',
    },
  },
];
