import { z } from 'zod';
import { failureTypeSchema } from './failure.js';
import { stageOutcomeSchema, stageSchema } from './stage.js';

/** Where the episodes come from: exactly one of a feed, audio files, or an existing corpus. */
export const batchSourceSchema = z.union([
  z.strictObject({ feed: z.string().trim().min(1).describe('URL or file path of an RSS feed') }),
  z.strictObject({ audio: z.array(z.string().min(1)).min(1).describe('paths of audio files') }),
  z.strictObject({ corpus: z.string().min(1).describe('directory of an existing corpus') }),
]);
export type BatchSource = z.infer<typeof batchSourceSchema>;

/** A knob's value as `overrides` or `--set` give it; the knob's own schema decides whether it is legal. */
export const knobValueSchema = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.union([z.string(), z.number()])),
]);

/** `batch.json`: the whole input of `reprocessBatch` (design.md section 2). Its JSON Schema is `docs/batch.schema.json`. */
export const batchInputSchema = z.strictObject({
  source: batchSourceSchema,
  /** Exactly these episode ids (or GUIDs); one that the source does not have is an error. */
  only: z.array(z.string().min(1)).min(1).optional(),
  /** At most this many episodes, from the top of the source. */
  limit: z.number().int().min(1).max(1_000_000).optional(),
  /** A shipped profile's name; default `local`. Not together with `config`. */
  profile: z.string().min(1).optional(),
  /** Path of a configuration file that holds the profile's fields. */
  config: z.string().min(1).optional(),
  /** Knobs by their YAML names, e.g. `resilience_retries_before_trip`. They win over profile and config. */
  overrides: z.record(z.string(), knobValueSchema).optional(),
  /** Episodes in work at once; 1..100, default 6. */
  window: z.number().int().min(1).max(100).optional(),
  /** Default `corpus` below the worker's working directory. */
  corpusDir: z.string().min(1).optional(),
  /** End an unattended halt as `ResilienceFuseOpen` after this; default: wait for ever. */
  haltTimeoutSec: z.number().positive().optional(),
  /** Share of failed episodes, 0..1, from which on the batch halts; default: never. */
  haltOnFailedShare: z.number().gt(0).max(1).optional(),
});
export type BatchInput = z.infer<typeof batchInputSchema>;

/** States of a batch, shown as the search attribute `HoldfastState`. */
export const batchStates = [
  'running',
  'holding',
  'halted',
  'paused',
  'aborting',
  'completed',
  'failed',
  'aborted',
  'cancelled',
] as const;
export const batchStateSchema = z.enum(batchStates);
export type BatchState = z.infer<typeof batchStateSchema>;

/** One stage of one episode as it went; written into `episode.json` and the batch's record. */
export const stageReportSchema = z.strictObject({
  stage: stageSchema,
  outcome: stageOutcomeSchema,
  reason: z.string().optional(),
  optionId: z.string().optional(),
  endpointId: z.string().optional(),
  modelReported: z.string().optional(),
  attempts: z.number().int().min(0),
  /** Of the attempts: calls that invalid answers made necessary; absent: none. */
  rerolls: z.number().int().min(1).optional(),
});
export type StageReport = z.infer<typeof stageReportSchema>;

export const episodeStates = ['done', 'failed', 'skipped', 'remaining'] as const;

/** One episode of a batch as it ended. */
export const episodeReportSchema = z.strictObject({
  episodeId: z.string(),
  feedId: z.string(),
  title: z.string(),
  state: z.enum(episodeStates),
  /** Why it failed or was skipped, in one sentence; with the failure's type. */
  reason: z.string().optional(),
  failureType: failureTypeSchema.optional(),
  stages: z.array(stageReportSchema),
  /** LLM calls of the episode in this batch, by its durable count; absent where nothing was published. */
  llmCalls: z.number().int().min(0).optional(),
});
export type EpisodeReport = z.infer<typeof episodeReportSchema>;

/** Exact accounting: `done + failed + skipped + remaining = requested`, by id. */
export const batchCountsSchema = z.strictObject({
  requested: z.number().int().min(0),
  done: z.number().int().min(0),
  failed: z.number().int().min(0),
  skipped: z.number().int().min(0),
  remaining: z.number().int().min(0),
});
export type BatchCounts = z.infer<typeof batchCountsSchema>;

/** `<corpus-dir>/batches/<batchId>.json`. */
export const batchRecordSchema = batchCountsSchema.extend({
  batchId: z.string(),
  state: batchStateSchema,
  profile: z.string(),
  corpusDir: z.string(),
  startedAt: z.string(),
  finishedAt: z.string().optional(),
  /** Findings of the closing `verify`; empty when the corpus is what the plan says. */
  findings: z.array(z.string()),
  episodes: z.array(episodeReportSchema),
});
export type BatchRecord = z.infer<typeof batchRecordSchema>;
