import { deepseekFallback, dgxDiarization, giV3, serve } from './preset.js';
import type { ProfilePreset } from './preset.js';

const diarizationLadder = ['pyannote_diarization_community1', 'deepgram_diarization_nova3'];

/** Serving profiles whose chosen models are on the GPU box. */
export const dgxPresets: readonly ProfilePreset[] = [
  {
    name: 'cloud_with_dgx_primary',
    description: 'fails over; speech on the GPU box, then local, then OpenAI; text by Gemini flash-lite',
    knobs: {
      ...serve,
      ...dgxDiarization,
      ...deepseekFallback,
      ...giV3,
      transcription: 'tailnet_dgx_whisper_turbo',
      transcription_fallback: ['tailnet_dgx_speaches_thread_b', 'local_mps_large_v3', 'openai_whisper_1'],
      transcription_coverage_min: 0.85,
      diarization_fallback: diarizationLadder,
      summary: 'gemini_flash_lite',
      speaker_detector: 'gemini_speaker_detector',
    },
  },
  {
    name: 'prod_dgx_full',
    description: 'fails over; all stages on the GPU box, then on this machine; no paid service',
    knobs: {
      ...serve,
      ...dgxDiarization,
      ...giV3,
      transcription: 'tailnet_dgx_whisper_turbo',
      transcription_fallback: ['tailnet_dgx_speaches_thread_b', 'local_mps_large_v3'],
      diarization_fallback: ['pyannote_diarization_community1'],
      summary: 'vllm_qwen3_30b_a3b_nvfp4',
      summary_fallback: ['ollama_qwen35_35b'],
      speaker_detector: 'vllm_speaker_detector',
    },
  },
  {
    name: 'prod_dgx_moss',
    description: 'fails over; all stages on the GPU box with MOSS for speech, then this machine, then paid services',
    knobs: {
      ...serve,
      ...dgxDiarization,
      ...giV3,
      transcription: 'moss_transcribe_diarize',
      transcription_fallback: ['tailnet_dgx_speaches_thread_b', 'local_mps_large_v3', 'openai_whisper_1'],
      diarization_fallback: diarizationLadder,
      summary: 'vllm_qwen3_30b_a3b_nvfp4',
      summary_fallback: ['ollama_qwen35_35b', 'gemini_flash_lite'],
      speaker_detector: 'vllm_speaker_detector',
    },
  },
  {
    name: 'eval_default',
    description: 'fails over; all stages on the GPU box, the models that others are compared with: large-v3, qwen3 30B',
    knobs: {
      ...serve,
      ...dgxDiarization,
      ...giV3,
      transcription: 'tailnet_dgx_speaches_thread_b',
      transcription_fallback: ['local_mps_large_v3'],
      summary: 'vllm_qwen3_30b_a3b_nvfp4',
      speaker_detector: 'vllm_speaker_detector',
    },
  },
  {
    name: 'local_dgx_balanced',
    description: 'whisper large-v3 on this machine, speakers and text on the GPU box; no fallback',
    knobs: {
      ...serve,
      ...dgxDiarization,
      ...giV3,
      transcription: 'local_mps_large_v3',
      summary: 'ollama_qwen35_35b',
      speaker_detector: 'spacy_trf',
    },
  },
  {
    name: 'local_dgx_full',
    description: 'the same as local_dgx_balanced',
    knobs: {
      ...serve,
      ...dgxDiarization,
      ...giV3,
      transcription: 'local_mps_large_v3',
      summary: 'ollama_qwen35_35b',
      speaker_detector: 'spacy_trf',
    },
  },
];
