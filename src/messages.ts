import { z } from 'zod';
import { batchInputSchema } from './batch.js';
import { blobRefSchema } from './artifact.js';
import { endpointSettingsSchema } from './endpoint.js';
import { episodeRefSchema } from './episode.js';
import { failureTypeSchema } from './failure.js';
import { runPlanSchema } from './run-plan.js';
import { failureStrategySchema, runContextSchema } from './resilience-policy.js';

/*
 * Every name and payload that crosses Temporal. Changing one breaks open runs: add optional fields, never narrow.
 */

export const taskQueues = { main: 'holdfast', endpoints: 'holdfast-endpoints' } as const;

export const workflowTypes = {
  reprocessBatch: 'reprocessBatch',
  processEpisode: 'processEpisode',
  endpointBreaker: 'endpointBreaker',
} as const;

const batchIdPrefix = 'reprocess-batch/';

export function batchWorkflowId(batchId: string): string {
  return `${batchIdPrefix}${batchId}`;
}
/** The batch id in a batch's workflow id; the whole id when it was started under another name. */
export function batchIdOf(workflowId: string): string {
  return workflowId.startsWith(batchIdPrefix) ? workflowId.slice(batchIdPrefix.length) : workflowId;
}
export function episodeWorkflowId(batchId: string, episodeId: string): string {
  return `episode/${batchId}/${episodeId}`;
}
export function endpointWorkflowId(endpointId: string): string {
  return `endpoint-breaker/${endpointId}`;
}

/** Search attributes and their types; registered by `holdfast setup` and `up`, checked when a worker starts. */
export const searchAttributes = {
  HoldfastState: 'KEYWORD',
  HoldfastBatch: 'KEYWORD',
  HoldfastEndpoint: 'KEYWORD',
  HoldfastStage: 'KEYWORD',
  HoldfastProfile: 'KEYWORD',
} as const;

/** Signals, updates and queries by their wire names. An update of the same name answers where the signal is silent. */
export const messageNames = {
  batch: {
    signals: { pause: 'pause', resume: 'resume', abort: 'abort', fuseOpen: 'fuseOpen', haltRequested: 'haltRequested' },
    updates: { pause: 'pause', resume: 'resume', abort: 'abort', setWindow: 'setWindow' },
    queries: { progress: 'progress', status: 'status' },
  },
  episode: {
    signals: { permitGranted: 'permitGranted', pause: 'pause', resume: 'resume' },
    queries: { status: 'status', permit: 'permit' },
  },
  endpoint: {
    updates: { acquirePermit: 'acquirePermit' },
    signals: {
      releasePermit: 'releasePermit',
      callFailed: 'callFailed',
      callSucceeded: 'callSucceeded',
      resumeBatch: 'resumeBatch',
      episodeGone: 'episodeGone',
      configure: 'configure',
      probeNow: 'probeNow',
      isolate: 'isolate',
      reset: 'reset',
    },
    queries: { state: 'state', gate: 'gate' },
  },
  /** From an endpoint to the batches and episodes that wait on it. */
  endpointChanged: 'endpointChanged',
} as const;

// --- Permits (design.md section 5) -------------------------------------------------------------------------------

/**
 * Of the episode's `number`-th request. The run is part of it: in a later run of the same episode numbers start again. By
 * the end of its id, which is random: the beginning is a time, the same for all runs within a minute.
 */
export function permitRequestId({ workflowId, runId }: Execution, number: number): string {
  return `${workflowId}#${runId.slice(-12)}#${number}`;
}

/** Whether an answer with this id is to that request; runs that were open before 2026-12 have ids of another form. */
export function answersRequest(answered: string, requestId: string, { workflowId, runId }: Execution): boolean {
  const number = requestId.slice(requestId.lastIndexOf('#'));
  return answered === requestId || answered === `${workflowId}#${runId.slice(0, 8)}${number}`;
}

interface Execution {
  readonly workflowId: string;
  readonly runId: string;
}

export const permitRequestSchema = z.strictObject({
  /** `permitRequestId`: asking again with the same id gives the same answer. */
  requestId: z.string(),
  workflowId: z.string(),
  /** Who is told of an open fuse: the batch, or the episode itself when it runs alone. */
  batchWorkflowId: z.string(),
  strategy: failureStrategySchema,
  runContext: runContextSchema,
  onOpenMaxWaitSec: z.number(),
  probeIntervalSec: z.number().optional(),
});
export type PermitRequest = z.infer<typeof permitRequestSchema>;

/** Where the circuit of an endpoint is, for those who wait there. */
export const endpointChangeSchema = z.strictObject({
  endpointId: z.string(),
  circuit: z.enum(['closed', 'suspect', 'open', 'halfOpen', 'isolated']),
  sinceMs: z.number(),
  reason: z.string().optional(),
  /** When this batch halts unless the endpoint recovers. */
  haltsAtMs: z.number().optional(),
  /** How often it is probed while it is open. */
  probeIntervalSec: z.number().optional(),
  /** Episodes that failed where the probe succeeded: the batch starts one more, as a witness. */
  suspectInputs: z.array(z.string()).optional(),
});
export type EndpointChange = z.infer<typeof endpointChangeSchema>;

/** The answer to `acquirePermit`; `queued` is followed by the signal `permitGranted`. */
export const permitAnswerSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('granted'),
    requestId: z.string(),
    generation: z.number(),
    /** The one call of a half-open circuit: a single attempt, reported after its first stage. */
    canary: z.literal(true).optional(),
    /** A single attempt that shows whether this input, and not the endpoint, is at fault. */
    trial: z.literal(true).optional(),
  }),
  z.strictObject({
    kind: z.literal('queued'),
    requestId: z.string(),
    circuit: z.string(),
    /** Where it is not closed: since when, why and until when. Those who queue later are not told by a signal. */
    change: endpointChangeSchema.optional(),
  }),
  z.strictObject({ kind: z.literal('denied'), requestId: z.string(), reason: z.string() }),
]);
export type PermitAnswer = z.infer<typeof permitAnswerSchema>;
export type PermitGrant = Extract<PermitAnswer, { kind: 'granted' }>;

/** The answer of an episode's query `permit`: what it has in hand, or waits for; null for nothing. */
export const permitInHandSchema = z
  .strictObject({ endpointId: z.string(), request: permitRequestSchema, waits: z.literal(true).optional() })
  .nullable();
export type PermitInHand = z.infer<typeof permitInHandSchema>;

/**
 * How a permit came back. `returned`: nothing was learned (pause, gate, cancellation). `rejected`: the endpoint is
 * alive and it was the content. `exhausted`: the ladder, or a failover call, is used up. `terminal`: AccountTerminal.
 */
export const releaseOutcomeSchema = z.enum([
  'succeeded',
  'returned',
  'rejected',
  'exhausted',
  'paced',
  'terminal',
  'misconfigured',
]);

export const releasePermitSchema = z.strictObject({
  requestId: z.string(),
  outcome: releaseOutcomeSchema,
  /** One line for people: a status, a code; never content. */
  reason: z.string().optional(),
  /** Our own deadline ended the call. */
  hardTimeout: z.boolean().optional(),
  /** The service may still be computing what nobody waits for any more. */
  mayStillCompute: z.boolean().optional(),
  /** With `paced`: wait this long before any further call. */
  pacedForMs: z.number().optional(),
  /** Give back and ask again at the head of the queue, in one message. */
  requeue: permitRequestSchema.optional(),
});
export type ReleasePermit = z.infer<typeof releasePermitSchema>;

export const callReportSchema = z.strictObject({ requestId: z.string(), reason: z.string().optional() });
export type CallReport = z.infer<typeof callReportSchema>;

/** May this attempt be sent? `wait`: give the permit back and queue at the head. `lost`: the permit is gone. */
export type GateAnswer = 'go' | 'wait' | 'lost';

/** A workflow that is meant, by its id. */
export const workflowRefSchema = z.strictObject({ workflowId: z.string() });

export const operatorNoteSchema = z.strictObject({ by: z.string().optional(), reason: z.string().optional() });

/** An order to a batch, by whom and why, and when it came. */
export const givenOrderSchema = operatorNoteSchema.extend({
  order: z.enum(['pause', 'resume', 'abort']),
  atMs: z.number(),
});
export type GivenOrder = z.infer<typeof givenOrderSchema>;

// --- From the endpoint ----------------------------------------------------------------------------------------------

/** Why a batch halts: an endpoint that did not recover in time, or a cause that waiting cannot help. */
export const haltNoticeSchema = z.strictObject({
  endpointId: z.string(),
  failureType: failureTypeSchema,
  reason: z.string(),
  episodeId: z.string().optional(),
});
export type HaltNotice = z.infer<typeof haltNoticeSchema>;

// --- Workflow inputs ------------------------------------------------------------------------------------------------

export const processEpisodeInputSchema = z.strictObject({ episode: episodeRefSchema, plan: runPlanSchema });
export type ProcessEpisodeInput = z.infer<typeof processEpisodeInputSchema>;

export const endpointBreakerInputSchema = z.strictObject({
  settings: endpointSettingsSchema,
  /** Carried over by continue-as-new; absent at the first start. */
  carried: z.unknown().optional(),
  /** Roll over after this many events; for tests. Default 2000. */
  continueAsNewAfterEvents: z.number().int().positive().optional(),
});
export type EndpointBreakerInput = z.infer<typeof endpointBreakerInputSchema>;

/** What `reprocessBatch` carries from one run to the next. */
export const batchCarrySchema = z.strictObject({
  plan: runPlanSchema,
  manifest: blobRefSchema,
  offset: z.number().int().min(0),
  /** Number of the next page of outcomes. */
  page: z.number().int().min(0),
  counts: z.strictObject({ requested: z.number(), done: z.number(), failed: z.number(), skipped: z.number() }),
  window: z.number().int().positive(),
  startedAtMs: z.number(),
  paused: z.boolean(),
  failures: z.array(z.strictObject({ episodeId: z.string(), reason: z.string() })),
  unknownMessages: z.array(z.string()),
  /** LLM calls of the episodes that have ended; absent: none. */
  llmCalls: z.number().int().min(0).optional(),
  /** Failed episodes that whoever resumed a halt has seen: they do not halt the batch again. Absent: none. */
  failedAtResume: z.number().int().min(0).optional(),
  /** What the checks before the start had to say. Absent: nothing. */
  notes: z.array(z.string()).optional(),
  /** Absent: none was given. */
  lastOrder: givenOrderSchema.optional(),
});
export type BatchCarry = z.infer<typeof batchCarrySchema>;

export const reprocessBatchInputSchema = batchInputSchema.extend({ carried: batchCarrySchema.optional() });
export type ReprocessBatchInput = z.infer<typeof reprocessBatchInputSchema>;

export const setWindowSchema = z.number().int().min(1).max(100);
