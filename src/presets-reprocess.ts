import { deepseekFallback, dgxDiarization, giV3, noText, reprocessHold } from './preset.js';
import type { ProfilePreset } from './preset.js';

/** Profiles that keep a corpus to one model: hold, never replay. Their ladders are named and suppressed. */
export const reprocessPresets: readonly ProfilePreset[] = [
  {
    name: 'reprocess_dgx_no_llm',
    description: 'holds; new transcripts and speakers by large-v3 on the GPU box, text artifacts stay as they are',
    knobs: {
      ...reprocessHold,
      ...dgxDiarization,
      ...noText,
      transcription: 'tailnet_dgx_speaches_thread_b',
      transcription_fallback: ['local_mps_large_v3'],
      speaker_detector: 'spacy_trf',
    },
  },
  {
    name: 'reprocess_dgx_turbo',
    description:
      'holds; new transcripts and speakers by large-v3-turbo on the GPU box, text artifacts stay as they are',
    knobs: {
      ...reprocessHold,
      ...dgxDiarization,
      ...noText,
      transcription: 'tailnet_dgx_whisper_turbo',
      transcription_fallback: ['local_mps_large_v3'],
      transcription_coverage_min: 0.85,
      speaker_detector: 'spacy_trf',
    },
  },
  {
    name: 'reprocess_v22_community1',
    description:
      'holds; all stages: whisper-1 at OpenAI, speakers on the GPU box, text by Gemini flash-lite (corpus version 2.2)',
    knobs: {
      ...reprocessHold,
      ...dgxDiarization,
      ...deepseekFallback,
      ...giV3,
      transcription: 'openai_whisper_1',
      summary: 'gemini_flash_lite',
      speaker_detector: 'gemini_speaker_detector',
    },
  },
  {
    name: 'reprocess_v23_turbo',
    description:
      'holds; all stages: large-v3-turbo and speakers on the GPU box, text by Gemini flash-lite (corpus version 2.3)',
    knobs: {
      ...reprocessHold,
      ...dgxDiarization,
      ...deepseekFallback,
      ...giV3,
      transcription: 'tailnet_dgx_whisper_turbo',
      transcription_fallback: ['local_mps_large_v3'],
      transcription_coverage_min: 0.85,
      summary: 'gemini_flash_lite',
      speaker_detector: 'gemini_speaker_detector',
    },
  },
  {
    name: 'experiment_dgx_only',
    description: 'holds; all stages on the GPU box: large-v3, pyannote community-1, qwen3.5 35B on Ollama',
    knobs: {
      ...reprocessHold,
      ...dgxDiarization,
      ...giV3,
      transcription: 'tailnet_dgx_speaches_thread_b',
      transcription_fallback: ['local_mps_large_v3'],
      summary: 'ollama_qwen35_35b',
      speaker_detector: 'ollama_speaker_detector',
    },
  },
  {
    name: 'experiment_dgx_moss',
    description: 'holds; all stages on the GPU box: MOSS hears words and speakers in one call, qwen3.5 35B on Ollama',
    knobs: {
      ...reprocessHold,
      ...giV3,
      transcription: 'moss_transcribe_diarize',
      transcription_fallback: ['local_mps_large_v3'],
      diarization: 'moss_diarize',
      summary: 'ollama_qwen35_35b',
      speaker_detector: 'ollama_speaker_detector',
    },
  },
];
