import type { StageOption } from './model-registry-types.js';

/** Summary arms of the bake-off profiles. The Python system keeps them in YAML only, without figures. */
const openAiShaped: readonly (readonly [optionId: string, provider: string, model: string])[] = [
  ['groq_qwen36', 'groq', 'qwen3.6-27b'],
  ['litellm_dspro', 'litellm', 'homelab-pro'],
  ['litellm_glm47flash', 'litellm', 'homelab-glm47-flash'],
  ['litellm_glm52', 'litellm', 'homelab-glm'],
  ['litellm_kimi', 'litellm', 'homelab-kimi'],
  ['litellm_qwen36', 'litellm', 'homelab-qwen'],
  ['litellm_qwen37', 'litellm', 'homelab-qwen37-flash'],
  ['litellm_homelab_flash_0731', 'litellm', 'homelab-flash-0731'],
  ['openai_gpt_4_1_mini', 'openai', 'gpt-4.1-mini'],
];

const gemini: readonly (readonly [optionId: string, model: string])[] = [
  ['gemini_flash', 'gemini-2.5-flash'],
  ['gemini_pro', 'gemini-2.5-pro'],
];

export const bakeoffOptions: readonly StageOption[] = [
  ...openAiShaped.map(([optionId, provider, model]): StageOption => {
    const wire = 'openai-chat';
    return { optionId, stage: 'summary', provider, model, endpointId: provider, wire, tier: 'experimental' };
  }),
  ...gemini.map(([optionId, model]): StageOption => {
    const common = { stage: 'summary', provider: 'gemini', endpointId: 'gemini', wire: 'gemini' } as const;
    return { optionId, ...common, model, tier: 'experimental' };
  }),
];
