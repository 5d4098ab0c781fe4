import { z } from 'zod';
import { failureStrategySchema, runContextSchema } from './resilience-policy.js';
import { stageSchema } from './stage.js';

/** What really made an artifact (design.md section 1). Written from a call's own result, never from configuration. */
export const provenanceSchema = z.strictObject({
  stage: stageSchema,
  batchId: z.string(),
  runContext: runContextSchema,
  failureStrategy: failureStrategySchema,
  /** Which option of the chain answered, and its place in it; 0 is the chosen model. */
  optionId: z.string(),
  tierIndex: z.number().int().min(0),
  provider: z.string(),
  endpointId: z.string(),
  modelRequested: z.string(),
  /** The model the server says it is: from the answer, or its list of models where answers name none. */
  modelReported: z.string(),
  /** `answer`: named in the answer; `models`: taken from the server's list; `builtin`: computed here. */
  modelReportedBy: z.enum(['answer', 'models', 'builtin']),
  /** `model` or `extractive`. An extractive artifact says so. */
  method: z.enum(['model', 'extractive']),
  /** Version of our own code for this stage; part of the artifact's identity. */
  methodVersion: z.string(),
  /** Version of the prompts used; part of the identity. */
  promptVersion: z.string().optional(),
  /** Calls sent for this artifact, retries and re-rolls included. */
  attempts: z.number().int().min(0),
  /** Of these: calls that invalid answers made necessary, as far as the attempt that finished it knows; absent: none. */
  rerolls: z.number().int().min(1).optional(),
  /** Digests of what it was made from. */
  inputs: z.array(z.string()),
  /** Why it is less than was asked for. */
  degraded: z.string().optional(),
  createdAt: z.string(),
});
export type Provenance = z.infer<typeof provenanceSchema>;

/** Files of a published episode, in `<corpus-dir>/<feed>/<episode>/`. */
export const artifactNames = [
  'transcript.json',
  'transcript.vtt',
  'transcript.srt',
  'diarization.rttm',
  'summary.json',
  'insights.gi.json',
  'graph.kg.json',
] as const;
export const artifactNameSchema = z.enum(artifactNames);
export type ArtifactName = z.infer<typeof artifactNameSchema>;

/** A claim check: text and audio never cross Temporal, references do. */
export const blobRefSchema = z.strictObject({
  /** Path below the corpus directory, with forward slashes. */
  uri: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number().int().min(0),
});
export type BlobRef = z.infer<typeof blobRefSchema>;

/** The episode's audio, checked: it decodes, and this is how long it is. */
export const audioRefSchema = z.strictObject({
  /** Absolute path on the machine that runs the stage. */
  path: z.string(),
  sha256: z.string(),
  bytes: z.number().int().positive(),
  durationSec: z.number().positive(),
  /** What the bytes say it is, e.g. `mp3`. */
  format: z.string(),
});
export type AudioRef = z.infer<typeof audioRefSchema>;
