import { findOption } from './model-registry.js';
import { giV3, serve } from './preset.js';
import type { ProfilePreset } from './preset.js';

/** One arm each: text stages only, over transcripts that exist already. */
const arms: readonly (readonly [name: string, summary: string, speakerDetector?: string])[] = [
  ['bakeoff_anthropic_haiku', 'anthropic_haiku_4_5'],
  ['bakeoff_deepseek_native_flash', 'deepseek_native_flash'],
  ['bakeoff_gemini_flash', 'gemini_flash', 'gemini_speaker_detector'],
  ['bakeoff_gemini_pro', 'gemini_pro', 'gemini_speaker_detector'],
  ['bakeoff_groq_qwen36', 'groq_qwen36'],
  ['bakeoff_litellm_deepseek_flash', 'cloud_or_deepseek_flash', 'litellm_speaker_detector'],
  ['bakeoff_litellm_dspro', 'litellm_dspro', 'litellm_speaker_detector'],
  ['bakeoff_litellm_glm47flash', 'litellm_glm47flash', 'litellm_speaker_detector'],
  ['bakeoff_litellm_glm52', 'litellm_glm52', 'litellm_speaker_detector'],
  ['bakeoff_litellm_kimi', 'litellm_kimi', 'litellm_speaker_detector'],
  ['bakeoff_litellm_qwen36', 'litellm_qwen36', 'litellm_speaker_detector'],
  ['bakeoff_litellm_qwen37', 'litellm_qwen37', 'litellm_speaker_detector'],
  ['bakeoff_litellm_qwen37_finale', 'litellm_qwen37', 'litellm_speaker_detector'],
  ['bakeoff_openai_gpt', 'openai_gpt_4_1_mini'],
  ['bakeoff_qwen_native_dashscope', 'cloud_qwen_flash', 'qwen_speaker_detector'],
];

/** The model as people know it, and where it is asked. */
function placeOf(optionId: string): string {
  const option = findOption(optionId);
  return option === undefined ? optionId : `${option.model} at ${option.endpointId}`;
}

export const bakeoffPresets: readonly ProfilePreset[] = arms.map(([name, summary, speakerDetector]) => ({
  name,
  description: `to compare language models: text stages by ${placeOf(summary)}, over transcripts that exist`,
  knobs: {
    ...serve,
    ...giV3,
    transcription_enabled: false,
    diarization_enabled: false,
    summary,
    ...(speakerDetector === undefined ? {} : { speaker_detector: speakerDetector }),
  },
}));
