import type { StageOption } from './model-registry-types.js';

const finale = { measuredAt: '2026-08-07', researchRef: 'EVAL_FINALE_METHODOLOGY' } as const;
const heldout = { measuredAt: '2026-04-16', researchRef: 'EVAL_HELDOUT_V2_2026_04' } as const;
const dgxLocal = { measuredAt: '2026-06-11', researchRef: 'EVAL_SUMMARY_DGX_LOCAL_2026_06' } as const;
const devTier = { measuredAt: '2026-06-23', researchRef: 'EVAL_DEV_TIER_REGISTRY_2026_06_23' } as const;

const vllm = { stage: 'summary', provider: 'vllm', endpointId: 'dgx-vllm', wire: 'openai-chat' } as const;
/** Ollama's own default window (2,048 tokens) silently truncates; profiles ask for this one. */
const ollamaWindow = { contextTokens: 32_768 } as const;
const ollama = {
  stage: 'summary',
  provider: 'ollama',
  endpointId: 'dgx-ollama',
  wire: 'ollama-chat',
  limits: ollamaWindow,
} as const;

const local: readonly StageOption[] = [
  {
    optionId: 'local_extractive',
    stage: 'summary',
    provider: 'local_extractive',
    model: 'extractive',
    endpointId: 'local-extractive',
    wire: 'local-extractive',
    tier: 'primary',
    headlineMetric: 'finds 57 % of the ground-truth claims (the first five sentences: 7 %); verbatim by construction',
    researchRef: 'design.md section 10',
  },
  {
    optionId: 'local_ollama',
    stage: 'summary',
    provider: 'ollama',
    model: 'hermes3:8b',
    endpointId: 'local-ollama',
    wire: 'ollama-chat',
    tier: 'primary',
    limits: ollamaWindow,
  },
  {
    // Its model is what the configuration says the server serves.
    optionId: 'local_llm',
    stage: 'summary',
    provider: 'openai_compatible',
    endpointId: 'local-llm',
    wire: 'openai-chat',
    tier: 'primary',
  },
  {
    ...ollama,
    optionId: 'ollama_hermes3_8b_laptop',
    model: 'hermes3:8b',
    endpointId: 'local-ollama',
    tier: 'primary',
    residentMemoryGb: 6,
    measuredAt: '2026-06-10',
    researchRef: 'EVAL_HYBRID_ROUTING_2026_06',
    headlineMetric: 'laptop default (#949); about 50x realtime on Ollama CPU',
  },
  {
    optionId: 'summllama_3_2_3b_paragraph',
    stage: 'summary',
    provider: 'summllama',
    model: 'DISLab/SummLlama3.2-3B',
    tier: 'primary',
    residentMemoryGb: 7,
    ...devTier,
    headlineMetric: 'ROUGE-L 0.251, ROUGE-1 0.499, cosine 0.823 on smoke_v2 paragraphs',
  },
  {
    optionId: 'transformers_bart_small_long_fast_authority',
    stage: 'summary',
    provider: 'transformers',
    model: 'bart-small',
    tier: 'primary',
    residentMemoryGb: 1.5,
    ...devTier,
    headlineMetric: 'ROUGE-L 0.150, ROUGE-1 0.311, cosine 0.655 on smoke_v2 paragraphs',
  },
];

const dgx: readonly StageOption[] = [
  {
    ...ollama,
    optionId: 'ollama_qwen35_35b',
    model: 'qwen3.5:35b',
    tier: 'primary',
    residentMemoryGb: 23,
    ...dgxLocal,
    headlineMetric: 'G-Eval 5.00 mean in the #928 finale; Q4_K_M robust (#958 cell D)',
  },
  {
    ...ollama,
    optionId: 'ollama_deepseek_r1_32b_q4',
    model: 'deepseek-r1:32b',
    tier: 'fallback',
    residentMemoryGb: 19,
    ...dgxLocal,
    headlineMetric: 'G-Eval 4.15 mean (#958 cell D), 0.90 above vLLM R1 bf16 with the same model',
  },
  {
    ...ollama,
    optionId: 'ollama_qwen35_9b',
    model: 'qwen3.5:9b',
    tier: 'fallback',
    residentMemoryGb: 6.6,
    measuredAt: '2026-06-20',
    researchRef: '#113',
    headlineMetric: 'summary 0.529 bullets, 0.509 paragraphs (#928)',
  },
  {
    ...vllm,
    optionId: 'vllm_r1_distill_32b_with_prompt_fix',
    model: 'deepseek-ai/DeepSeek-R1-Distill-Qwen-32B',
    tier: 'experimental',
    residentMemoryGb: 64,
    ...dgxLocal,
    headlineMetric: 'G-Eval 4.05 mean after the #961 prompt fix, 3.25 before',
  },
  {
    ...vllm,
    optionId: 'vllm_qwen3_5_35b_a3b',
    model: 'Qwen/Qwen3.5-35B-A3B',
    tier: 'primary',
    residentMemoryGb: 67,
    measuredAt: '2026-06-17',
    researchRef: '#1016',
    headlineMetric: 'ROUGE-1 59.4 %, cosine 83.7 % (cohort leader); GI 36 %, KG 38 %; 13.6 s an episode',
  },
  {
    ...vllm,
    optionId: 'vllm_moonlight_16b_a3b',
    model: 'moonshotai/Moonlight-16B-A3B-Instruct',
    tier: 'primary',
    residentMemoryGb: 32,
    measuredAt: '2026-06-20',
    researchRef: '#113',
    headlineMetric: 'ROUGE-1 57.5 %, cosine 78.6 % (#1016 R3)',
  },
  {
    ...vllm,
    optionId: 'vllm_qwen3_30b_a3b_nvfp4',
    model: 'NVFP4/Qwen3-30B-A3B-Instruct-2507-FP4',
    tier: 'primary',
    residentMemoryGb: 18,
    measuredAt: '2026-06-19',
    researchRef: '#1033',
    headlineMetric: 'GI similarity 0.595 (rank 2), KG topic coverage 45 % (rank 2) in the #1033 cohort',
  },
];

const cloud: readonly StageOption[] = [
  {
    optionId: 'gemini_flash_lite',
    stage: 'summary',
    provider: 'gemini',
    model: 'gemini-2.5-flash-lite',
    endpointId: 'gemini',
    wire: 'gemini',
    tier: 'primary',
    // A bursty model: its own ladder, measured by the Python system.
    policy: { retriesBeforeTrip: 6, backoffScheduleSec: [2, 4, 8, 16, 32, 60] },
    ...heldout,
    headlineMetric: '0.564 bullets, 1.5 s, $0.00047 an episode: best of cost, latency and quality together',
  },
  {
    optionId: 'deepseek_native_flash',
    stage: 'summary',
    provider: 'deepseek',
    model: 'deepseek-v4-flash',
    endpointId: 'deepseek',
    wire: 'openai-chat',
    tier: 'fallback',
    ...finale,
    headlineMetric: 'direct fallback for an outage of the homelab gateway (RFC-111)',
  },
  {
    optionId: 'cloud_or_deepseek_flash',
    stage: 'summary',
    provider: 'litellm',
    model: 'podcast-flash-0731',
    endpointId: 'litellm',
    wire: 'openai-chat',
    tier: 'primary',
    ...finale,
    headlineMetric: 'v2.5 finale cloud winner, about $0.005 an episode',
  },
  {
    optionId: 'cloud_qwen_flash',
    stage: 'summary',
    provider: 'qwen',
    model: 'qwen3.7-flash',
    endpointId: 'qwen',
    wire: 'openai-chat',
    tier: 'primary',
    ...finale,
    headlineMetric: 'v2.5 finale flash arm',
  },
  {
    optionId: 'anthropic_haiku_4_5',
    stage: 'summary',
    provider: 'anthropic',
    model: 'claude-haiku-4-5',
    endpointId: 'anthropic',
    tier: 'primary',
    ...heldout,
    headlineMetric: 'bullets-bundled compound winner (0.552); fourth in quality, second in speed',
  },
];

export const summaryOptions: readonly StageOption[] = [...local, ...dgx, ...cloud];
