import type { StageOption } from './model-registry-types.js';

const finale = { measuredAt: '2026-08-07', researchRef: 'EVAL_FINALE_METHODOLOGY' } as const;
const tier3 = { measuredAt: '2026-06-08', researchRef: 'EVAL_FIXTURES_V2_TIER3_TUNING_2026_06_08' } as const;
const grounding = { measuredAt: '2026-07-13', researchRef: 'GROUNDING_RESEARCH' } as const;

/** How insights are found; the model is the chain's. `provider`: whichever option the stage's chain names. */
const gi: readonly StageOption[] = [
  {
    optionId: 'provider_chunked_gated_v25',
    stage: 'gi',
    provider: 'provider',
    tier: 'primary',
    settings: { maxInsights: 12, chunkChars: 30_000, dedupeThreshold: 0.72, valueGateMinTier: 3 },
    ...finale,
    headlineMetric: 'v2.5 finale cloud configuration; all six bake-off arms beat the 2.4 baseline',
  },
  {
    optionId: 'provider_chunked_gated_v3',
    stage: 'gi',
    provider: 'provider',
    tier: 'experimental',
    settings: { maxInsights: 50, chunkChars: 30_000, dedupeThreshold: 0.75, valueGateMinTier: 2 },
    measuredAt: '2026-07-13',
    researchRef: 'EVAL_GEMINI_VS_QWEN_10EP_2026_07',
    headlineMetric: 'chunked extraction lifts grounded insights an episode 17.1 to 43.2 (gemini), 16.1 to 27.7 (qwen)',
  },
  {
    optionId: 'provider_n12_grounded_bundled',
    stage: 'gi',
    provider: 'provider',
    tier: 'deprecated',
    settings: { maxInsights: 12 },
    measuredAt: '2026-06-13',
    researchRef: 'EVAL_GI_AUTORESEARCH_V2_2026_06_13',
    headlineMetric: 'from the summary 72 %, straight from the transcript 10 % on v2 silver',
  },
];

const groundingOptions: readonly StageOption[] = [
  {
    optionId: 'llm_matched_to_summary',
    stage: 'grounding',
    provider: 'match_summary',
    tier: 'primary',
    ...grounding,
    headlineMetric: '82 % of insights grounded on a frozen set of 100 (8 % by QA and NLI models)',
  },
  {
    optionId: 'ml_qa_nli',
    stage: 'grounding',
    provider: 'transformers',
    tier: 'fallback',
    settings: { qaScoreMin: 0.3, nliEntailmentMin: 0.75 },
    ...grounding,
    headlineMetric: '8 % of insights grounded on the same frozen set',
  },
];

const kg: readonly StageOption[] = [
  {
    optionId: 'provider_n10_15',
    stage: 'kg',
    provider: 'provider',
    tier: 'primary',
    settings: { maxTopics: 10, maxEntities: 15 },
    measuredAt: '2026-06-08',
    researchRef: 'EVAL_ENTITY_CANON_2026_06_08',
    headlineMetric: 'canonicalization thresholds 0.65/0.70: 18 points more recall at 100 % precision',
  },
];

/** How names of speakers are found. */
const ner: readonly StageOption[] = [
  {
    optionId: 'litellm_speaker_detector',
    stage: 'ner',
    provider: 'litellm',
    model: 'en_core_web_trf',
    tier: 'primary',
    ...finale,
  },
  {
    optionId: 'qwen_speaker_detector',
    stage: 'ner',
    provider: 'qwen',
    model: 'en_core_web_trf',
    tier: 'primary',
    ...finale,
  },
  { optionId: 'gemini_speaker_detector', stage: 'ner', provider: 'gemini', tier: 'primary', ...tier3 },
  {
    optionId: 'ollama_speaker_detector',
    stage: 'ner',
    provider: 'ollama',
    model: 'en_core_web_trf',
    tier: 'primary',
    measuredAt: '2026-06-15',
    researchRef: 'EVAL_SPEAKER_DETECTION_NAMING_2026_06_15',
    headlineMetric: 'served by the same resident LLM, so an all-DGX profile needs no cloud',
  },
  {
    optionId: 'vllm_speaker_detector',
    stage: 'ner',
    provider: 'vllm',
    model: 'en_core_web_trf',
    endpointId: 'dgx-vllm',
    tier: 'primary',
    measuredAt: '2026-08-02',
    researchRef: 'ADR-147-first-class-vllm-provider-real-model-ids',
    headlineMetric: 'served by the local vLLM model: no cloud call in an airgapped profile',
  },
  {
    optionId: 'spacy_trf',
    stage: 'ner',
    provider: 'spacy',
    model: 'en_core_web_trf',
    tier: 'primary',
    ...tier3,
    headlineMetric: 'recall 96.7 % on the v2 specification, 13 points above sm; about 1 s',
  },
  {
    optionId: 'spacy_sm',
    stage: 'ner',
    provider: 'spacy',
    model: 'en_core_web_sm',
    tier: 'fallback',
    ...tier3,
    headlineMetric: 'recall 83.3 % on the v2 specification, 0.55 s an episode',
  },
];

export const methodOptions: readonly StageOption[] = [...gi, ...groundingOptions, ...kg, ...ner];
