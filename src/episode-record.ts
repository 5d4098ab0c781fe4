import { z } from 'zod';
import { artifactNames, blobRefSchema, provenanceSchema } from './artifact.js';
import { stageReportSchema } from './batch.js';
import { failureStrategySchema, runContextSchema } from './resilience-policy.js';
import type { Stage } from './stage.js';
import type { ArtifactName } from './artifact.js';

/** One published file, by what its bytes are. */
const fileEntrySchema = z.strictObject({ sha256: z.string(), bytes: z.number().int().min(0) });

/** `<corpus-dir>/<feed>/<episode>/episode.json`: who the episode is, how it went, and what made each file. */
export const episodeRecordSchema = z.strictObject({
  schemaVersion: z.literal('1.0'),
  episodeId: z.string(),
  feedId: z.string(),
  feedTitle: z.string(),
  title: z.string(),
  guid: z.string().optional(),
  publishedAt: z.string().optional(),
  /** The whole `Episode` in the artifact store; its audio URL may hold a token, so it is not repeated here. */
  document: blobRefSchema,
  state: z.enum(['done', 'failed']),
  /** Why it failed. */
  reason: z.string().optional(),
  batchId: z.string(),
  posture: z.strictObject({ runContext: runContextSchema, failureStrategy: failureStrategySchema }),
  audio: z
    .strictObject({
      sha256: z.string(),
      bytes: z.number().int().positive(),
      durationSec: z.number().positive(),
      format: z.string(),
    })
    .optional(),
  stages: z.array(
    stageReportSchema.extend({
      provenance: provenanceSchema.optional(),
      /** Of the document that later stages are made from; their provenance names it among its inputs. */
      documentSha256: z.string().optional(),
    }),
  ),
  /** Every file of this directory but this one. */
  files: z.partialRecord(z.enum(artifactNames), fileEntrySchema),
});
export type EpisodeRecord = z.infer<typeof episodeRecordSchema>;

/** The files that each stage owes a finished episode. */
export const filesOfStage: Readonly<Record<Stage, readonly ArtifactName[]>> = {
  transcribe: ['transcript.json', 'transcript.vtt', 'transcript.srt'],
  diarize: ['diarization.rttm'],
  summarize: ['summary.json'],
  gi: ['insights.gi.json'],
  kg: ['graph.kg.json'],
};
