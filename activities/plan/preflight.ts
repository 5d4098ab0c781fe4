import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { WireShape } from '../../src/endpoint.js';
import type { FailureType } from '../../src/failure.js';
import { suggestion } from '../../src/nearest-name.js';
import type { RunPlan, Tier } from '../../src/run-plan.js';
import { isServedModel } from '../../src/served-model.js';
import { stages } from '../../src/stage.js';
import type { Stage } from '../../src/stage.js';
import type { BatchActivities } from '../contracts.js';
import { CallFailure } from '../providers/call-failure.js';
import type { ProviderClient } from '../providers/provider.js';
import { serviceOf } from '../providers/service.js';

/** Liveness is cheap; a time-out means busy, never down. */
const healthDeadlineMs = 3_000;
const modelsDeadlineMs = 10_000;
/** A cloud lists hundreds of models; an operator reads a few. */
const namesShown = 5;

export interface PreflightDependencies {
  readonly clients: Partial<Record<WireShape, ProviderClient>>;
  /** Looks up a key by the name of its environment variable. */
  readonly apiKey: (envName: string) => string | undefined;
}

/**
 * What was found of a tier. `ready` and `busy`: it can be used. `unproved`: it answers, but would not say what it
 * serves. The rest cannot be used as things stand.
 */
export type TierState =
  'ready' | 'busy' | 'unproved' | 'down' | 'keyMissing' | 'keyRefused' | 'wrongModel' | 'misconfigured' | 'noClient';

/** One tier that a plan may use, and the stages that name it. */
export interface TierFinding {
  readonly stages: readonly Stage[];
  readonly optionId: string;
  readonly endpointId: string;
  readonly url: string;
  readonly model: string;
  /** Tier 0 of some stage. */
  readonly chosen: boolean;
  readonly state: TierState;
  /** One sentence: what was found, what was expected, and what to do. */
  readonly detail: string;
}

/** What `holdfast doctor` prints and a batch start decides by. */
export interface PreflightReport {
  readonly findings: readonly TierFinding[];
  /** Why the start is refused: a chosen tier that waiting cannot mend. */
  readonly problems: readonly string[];
  /** Worth knowing, but no reason to refuse. */
  readonly notes: readonly string[];
}

interface Subject {
  readonly tier: Tier;
  readonly stages: readonly Stage[];
  readonly chosen: boolean;
}

/** Tiers by what they really call; GI and KG usually share the summary's. */
function subjectsOf(plan: RunPlan): Subject[] {
  const subjects = new Map<string, Subject>();
  for (const stage of stages) {
    plan.stages[stage].chain.forEach((tier, index) => {
      const key = `${tier.optionId} ${tier.endpointId} ${tier.model}`;
      const before = subjects.get(key);
      const chosen = index === 0 || before?.chosen === true;
      subjects.set(key, { tier, chosen, stages: [...(before?.stages ?? []), stage] });
    });
  }
  return [...subjects.values()];
}

type Verdict = Pick<TierFinding, 'state' | 'detail'>;

function judgeModels(tier: Tier, served: readonly string[] | undefined, ready: Verdict): Verdict {
  if (served === undefined || served.some((id) => isServedModel(tier.wire, tier.model, id))) return ready;
  const names = served.slice(0, namesShown).map((model) => `"${model}"`);
  const more = served.length > namesShown ? ` and ${served.length - namesShown} more` : '';
  const list = served.length === 0 ? 'nothing' : `${names.join(', ')}${more}`;
  const detail = `expected model "${tier.model}", the server serves ${list}${suggestion(tier.model, served)}`;
  return { state: 'wrongModel', detail };
}

function judgeFailure(tier: Tier, error: unknown): Verdict {
  const type = error instanceof CallFailure ? error.type : undefined;
  if (type === 'AccountTerminal') {
    const detail = `the service refuses the key in ${tier.apiKeyEnv ?? 'use (none is configured)'}`;
    return { state: 'keyRefused', detail };
  }
  if (type === 'Misconfigured') return { state: 'misconfigured', detail: (error as CallFailure).message };
  return {
    state: 'unproved',
    detail: `would not list its models (${type ?? 'unknown failure'}); the first answer is checked`,
  };
}

async function examineService(client: ProviderClient, tier: Tier, call: CallSettings): Promise<Verdict> {
  const service = serviceOf(tier);
  const health = await client.health(service, { ...call, deadlineMs: healthDeadlineMs });
  call.cancellation.throwIfAborted();
  if (health === 'down') return { state: 'down', detail: `nothing answers at ${tier.url}` };
  const alive: Verdict =
    health === 'busy' ? { state: 'busy', detail: 'alive, slow to answer' } : { state: 'ready', detail: 'answers' };
  try {
    const served = await client.servedModels(service, { ...call, deadlineMs: modelsDeadlineMs });
    return judgeModels(tier, served, alive);
  } catch (error) {
    // Cancellation is passed on; every other failure is the finding.
    call.cancellation.throwIfAborted();
    return health === 'busy' ? alive : judgeFailure(tier, error);
  }
}

interface CallSettings {
  readonly cancellation: AbortSignal;
  readonly apiKey?: string;
}

async function examineTier(subject: Subject, deps: PreflightDependencies, cancellation: AbortSignal): Promise<Verdict> {
  const { tier } = subject;
  const client = deps.clients[tier.wire];
  // Computed in the worker itself: nothing to reach.
  if (tier.wire === 'local-extractive') return { state: 'ready', detail: 'built in' };
  if (client === undefined) return { state: 'noClient', detail: `no client for wire shape ${tier.wire}` };
  const apiKey = tier.apiKeyEnv === undefined ? undefined : deps.apiKey(tier.apiKeyEnv);
  if (tier.apiKeyEnv !== undefined && (apiKey === undefined || apiKey === '')) {
    return { state: 'keyMissing', detail: `no key: set ${tier.apiKeyEnv} for the worker` };
  }
  return examineService(client, tier, { cancellation, ...(apiKey === undefined ? {} : { apiKey }) });
}

/** States of a chosen tier that waiting cannot mend. An unreachable one is the hold's, or the ladder's, business. */
const refusing: ReadonlySet<TierState> = new Set<TierState>([
  'keyMissing',
  'keyRefused',
  'wrongModel',
  'misconfigured',
  'noClient',
]);

function line(finding: TierFinding): string {
  return `${finding.stages.join(', ')}: ${finding.optionId} at ${finding.endpointId}: ${finding.detail}`;
}

function noteOf(plan: RunPlan, finding: TierFinding): string {
  if (finding.state === 'down' && finding.chosen) {
    const next = plan.failureStrategy === 'hold' ? 'the run will hold until it answers' : 'the next tier takes over';
    return `${line(finding)}; ${next}`;
  }
  const skipped = refusing.has(finding.state) || finding.state === 'down';
  return skipped ? `${line(finding)}; it is skipped when its turn comes` : line(finding);
}

/**
 * Examines each tier that the plan may use: buildable, key there, reachable, serving the chosen model; all side
 * by side. Throws only the cancellation's own reason.
 */
export async function examinePlan({
  plan,
  deps,
  cancellation,
}: {
  plan: RunPlan;
  deps: PreflightDependencies;
  cancellation: AbortSignal;
}): Promise<PreflightReport> {
  const findings = await Promise.all(
    subjectsOf(plan).map(async (subject): Promise<TierFinding> => {
      const { optionId, endpointId, url, model } = subject.tier;
      const verdict = await examineTier(subject, deps, cancellation);
      return { stages: subject.stages, optionId, endpointId, url, model, chosen: subject.chosen, ...verdict };
    }),
  );
  const broken = findings.filter((finding) => finding.chosen && refusing.has(finding.state));
  const notable = findings.filter((finding) => finding.state !== 'ready' && !broken.includes(finding));
  return { findings, problems: broken.map(line), notes: notable.map((finding) => noteOf(plan, finding)) };
}

/**
 * The activity `preflight`: refuses the start as `Misconfigured` with all reasons at once when a chosen tier cannot
 * work however long one waits; everything else is a note.
 */
export function createPreflight(deps: PreflightDependencies): BatchActivities['preflight'] {
  return async ({ plan }) => {
    const report = await examinePlan({ plan, deps, cancellation: Context.current().cancellationSignal });
    if (report.problems.length === 0) return { notes: report.notes };
    const type: FailureType = 'Misconfigured';
    const message = `The batch is not started: ${report.problems.join(' | ')}`;
    throw ApplicationFailure.nonRetryable(message, type, { faults: report.problems });
  };
}
