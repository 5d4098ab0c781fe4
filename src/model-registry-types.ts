import type { EndpointSettings, WireShape } from './endpoint.js';
import type { PolicyLayer } from './policy-defaults.js';
import type { Tier } from './run-plan.js';
import type { Stage } from './stage.js';

/** The registry's own stage names, as profiles spell them; `gi` and `kg` options are methods that use a summary option. */
export const registryStages = ['transcription', 'diarization', 'summary', 'gi', 'kg', 'grounding', 'ner'] as const;
export type RegistryStage = (typeof registryStages)[number];

/** The stages that have a chain of their own, by their names in profiles and on the command line. */
export const chainNames = {
  transcribe: 'transcription',
  diarize: 'diarization',
  summarize: 'summary',
  gi: 'gi',
  kg: 'kg',
} as const satisfies Record<Stage, RegistryStage>;
export type ChainName = (typeof chainNames)[Stage];

export type OptionTier = 'primary' | 'fallback' | 'experimental' | 'deprecated';

/** One measured way to do a stage (RFC-106, `StageOption`). Identity is `optionId`. */
export interface StageOption {
  readonly optionId: string;
  readonly stage: RegistryStage;
  readonly provider: string;
  /** The exact id asked for; absent where the option is a method, or nothing at all (`no_diarization`). */
  readonly model?: string;
  readonly endpointId?: string;
  /** Absent: we have no client for it. The option is carried as data and a plan that needs it is refused. */
  readonly wire?: WireShape;
  readonly tier: OptionTier;
  /** One attempt's deadline where it is not the stage's own (`stageDeadlines`). */
  readonly deadline?: Tier['deadline'];
  readonly limits?: NonNullable<Tier['limits']>;
  /** Measured retry figures of this model: the lowest layer of its policy. */
  readonly policy?: PolicyLayer;
  /** Settings of a method, e.g. caps and thresholds of GI. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
  readonly headlineMetric?: string;
  readonly researchRef?: string;
  /** ISO 8601 date. */
  readonly measuredAt?: string;
  /** Audio time over wall time. */
  readonly realtimeMultiple?: number;
  readonly residentMemoryGb?: number;
}

/** What the registry knows of an endpoint; a configuration may override everything but `cloud`. */
export interface EndpointDefaults extends Pick<EndpointSettings, 'capacity' | 'drainSec'> {
  readonly endpointId: string;
  /** Base URL; may hold `{dgx_tailnet_host}`. Absent: it exists only where a configuration gives its URL. */
  readonly url?: string;
  /** Leaves the premises and costs money: decided by what it is, not by where a test points it. */
  readonly cloud: boolean;
  readonly apiKeyEnv?: string;
  readonly failureThreshold?: number;
  readonly cooldownSec?: number;
}
