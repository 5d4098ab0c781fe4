import { cloudDiarization, deepseekFallback, giV25, giV3, localDiarization, noDiarization, serve } from './preset.js';
import type { ProfilePreset } from './preset.js';

/** Serving profiles whose chosen models are in the cloud. */
export const cloudPresets: readonly ProfilePreset[] = [
  {
    name: 'cloud_balanced',
    description:
      'fails over; Deepgram hears, DeepSeek flash writes through the LiteLLM gateway on your tailnet; no speakers',
    knobs: {
      ...serve,
      ...noDiarization,
      ...deepseekFallback,
      ...giV25,
      // The gateway sheds load in bursts: 12 retries, 2 s doubling to 120 s.
      llm_resilience_retries_before_trip: 12,
      llm_resilience_backoff_schedule_sec: [2, 4, 8, 16, 32, 64, 120],
      transcription: 'deepgram_nova_3',
      summary: 'cloud_or_deepseek_flash',
      speaker_detector: 'litellm_speaker_detector',
    },
  },
  {
    name: 'cloud_openrouter',
    description:
      'fails over; OpenAI whisper-1 hears, DeepSeek flash writes through the LiteLLM gateway on your tailnet; no speakers',
    knobs: {
      ...serve,
      ...noDiarization,
      ...deepseekFallback,
      ...giV25,
      transcription: 'openai_whisper_1',
      summary: 'cloud_or_deepseek_flash',
      speaker_detector: 'litellm_speaker_detector',
    },
  },
  {
    name: 'cloud_qwen',
    description: 'fails over; OpenAI whisper-1 hears, Qwen flash writes; no speakers',
    knobs: {
      ...serve,
      ...noDiarization,
      ...deepseekFallback,
      ...giV25,
      transcription: 'openai_whisper_1',
      summary: 'cloud_qwen_flash',
      speaker_detector: 'qwen_speaker_detector',
    },
  },
  {
    name: 'cloud_thin',
    description:
      'fails over; all stages in the cloud at the smallest price: whisper-1, Deepgram speakers, Gemini flash-lite',
    knobs: {
      ...serve,
      ...cloudDiarization,
      ...deepseekFallback,
      ...giV3,
      transcription: 'openai_whisper_1',
      summary: 'gemini_flash_lite',
      speaker_detector: 'gemini_speaker_detector',
    },
  },
  {
    name: 'cloud_quality',
    description: 'fails over; all stages in the cloud: whisper-1, Deepgram speakers, Claude Haiku 4.5',
    knobs: {
      ...serve,
      ...cloudDiarization,
      ...deepseekFallback,
      ...giV3,
      transcription: 'openai_whisper_1',
      summary: 'anthropic_haiku_4_5',
      speaker_detector: 'gemini_speaker_detector',
    },
  },
  {
    name: 'cloud_split_dgx_down',
    description: 'fails over; stand-in while the GPU box is away: Groq hears, Deepgram tells speakers, DeepSeek writes',
    knobs: {
      ...serve,
      ...cloudDiarization,
      ...giV3,
      transcription: 'groq_whisper_turbo',
      summary: 'deepseek_native_flash',
      summary_fallback: ['gemini_flash_lite'],
    },
  },
  {
    name: 'homelab_balanced',
    description:
      'Deepgram hears, homelab-flash-0731 writes at the LiteLLM gateway on your tailnet; no speakers, no fallback',
    knobs: {
      ...serve,
      ...noDiarization,
      ...giV25,
      transcription: 'deepgram_nova_3',
      summary: 'litellm_homelab_flash_0731',
      speaker_detector: 'litellm_speaker_detector',
    },
  },
  {
    name: 'preprod_local_whisper',
    description: 'fails over; whisper small.en and pyannote on this machine, text by Gemini flash-lite',
    knobs: {
      ...serve,
      ...localDiarization,
      ...deepseekFallback,
      ...giV3,
      transcription: 'local_whisper_small_en',
      summary: 'gemini_flash_lite',
      speaker_detector: 'gemini_speaker_detector',
    },
  },
];
