import { z } from 'zod';
import { endpointIdSchema, endpointSettingsSchema, wireShapeSchema } from './endpoint.js';
import { failureStrategySchema, resiliencePolicySchema, runContextSchema } from './resilience-policy.js';
import { stageSchema } from './stage.js';

/** One element of a chain: a registry option made concrete. Identity is the `optionId`, never the provider's name. */
export const tierSchema = z.strictObject({
  optionId: z.string(),
  /** The registry's provider name, e.g. `tailnet_dgx_whisper`; for people and the emitted chain. */
  provider: z.string(),
  wire: wireShapeSchema,
  /** The exact model id asked for and expected back. */
  model: z.string(),
  endpointId: endpointIdSchema,
  /** Base URL, without credentials. */
  url: z.string(),
  /** Name of the environment variable that holds the key; the key itself never travels. */
  apiKeyEnv: z.string().optional(),
  /** Leaves the premises and costs money. */
  cloud: z.boolean(),
  /** One attempt's absolute deadline: `baseSec + audio minutes * perAudioMinuteSec`. */
  deadline: z.strictObject({ baseSec: z.number().positive(), perAudioMinuteSec: z.number().min(0) }),
  /** What the service takes in one request; checked before upload. */
  limits: z
    .strictObject({
      maxBytes: z.number().int().positive().optional(),
      maxDurationSec: z.number().positive().optional(),
      contextTokens: z.number().int().positive().optional(),
    })
    .optional(),
  /** Figures of the stage's method, e.g. `maxInsights` and `chunkChars` of GI; absent: the stage's own defaults. */
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  policy: resiliencePolicySchema,
});
export type Tier = z.infer<typeof tierSchema>;

export const stagePlanSchema = z.strictObject({
  enabled: z.boolean(),
  /** Tier 0 is the chosen model. Under hold it is the only one; the rest is named in `suppressed`. */
  chain: z.array(tierSchema),
  /** Option ids that the profile's ladder names and this plan leaves out, each with its reason. */
  suppressed: z.array(z.strictObject({ optionId: z.string(), reason: z.string() })),
});
export type StagePlan = z.infer<typeof stagePlanSchema>;

/** Everything a run needs, resolved once (`resolveRunPlan`), carried as plain data and visible in the Web UI. */
export const runPlanSchema = z.strictObject({
  batchId: z.string(),
  /** Profile name, or the config file's name. */
  profile: z.string(),
  runContext: runContextSchema,
  failureStrategy: failureStrategySchema,
  allowCloudFallback: z.boolean(),
  /** Reuse across batches; false in every reprocess profile. Within one batch id reuse is always on. */
  transcriptCacheEnabled: z.boolean(),
  /** Absolute path of the corpus. */
  corpusDir: z.string(),
  /** LLM calls one episode may make (ADR-113); default 1500. */
  callBudgetPerEpisode: z.number().int().positive(),
  /** LLM calls of all episodes of the batch together; absent: `callBudgetOfBatch` by their number. */
  callBudgetPerBatch: z.number().int().positive().optional(),
  /** Smallest share of the audio, and of diarized speech, that a transcript must cover; 0: not checked. Default 0.85 where a profile sets it. */
  coverageMin: z.number().min(0).max(1),
  stages: z.record(stageSchema, stagePlanSchema),
  /** This plan's digest in the corpus' store, once it is there; without this field in it. */
  digest: z.string().optional(),
  /** The endpoints that the chains name. */
  endpoints: z.record(z.string(), endpointSettingsSchema),
});
export type RunPlan = z.infer<typeof runPlanSchema>;
