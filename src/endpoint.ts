import { z } from 'zod';

/** The wire shapes we speak; one provider client each, in `activities/providers/`. */
export const wireShapes = [
  'openai-transcription',
  'moss',
  'pyannote',
  'deepgram',
  'openai-chat',
  'ollama-chat',
  'gemini',
  'local-extractive',
] as const;
export const wireShapeSchema = z.enum(wireShapes);
export type WireShape = z.infer<typeof wireShapeSchema>;

export const endpointIdSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'lower-case letters, digits and hyphens');

/** What the probe sends: one tiny real inference in the endpoint's own wire shape. */
export const probeTargetSchema = z.strictObject({
  wire: wireShapeSchema,
  url: z.string(),
  model: z.string(),
  apiKeyEnv: z.string().optional(),
});
export type ProbeTarget = z.infer<typeof probeTargetSchema>;

/**
 * One service at one URL, shared by every run that uses it: so its capacity and its circuit's knobs belong here and
 * not to a run's policy (design.md section 3). Times are seconds.
 */
export const endpointSettingsSchema = z.strictObject({
  endpointId: endpointIdSchema,
  /** Calls that may be in flight at once, over all workers; 1..1000. Self-hosted 1, cloud large. */
  capacity: z.number().int().min(1).max(1000),
  /** End of one probe to the start of the next; default 30. */
  probeIntervalSec: z.number().positive().max(3600),
  /** A probe that has not answered by then has failed; default 60. */
  probeDeadlineSec: z.number().positive().max(600),
  /** After a trip with nobody holding, one failover canary is let through after this; default 300. */
  cooldownSec: z.number().positive().max(86_400),
  /** Exhausted failover calls within the window that trip; default 2. */
  failureThreshold: z.number().int().min(1).max(100),
  /** Default 300. */
  failureWindowSec: z.number().positive().max(86_400),
  /** How long the service may go on computing after a disconnect; 0: it stops at once. Default 0. */
  drainSec: z.number().min(0).max(7200),
  probe: probeTargetSchema,
});
export type EndpointSettings = z.infer<typeof endpointSettingsSchema>;
