import { batchWorkflowId } from '../../src/messages.js';
import { stages, stageOutcomes, type Stage, type StageOutcome } from '../../src/stage.js';
import { timeByKind } from './episode-timeline.js';
import {
  isStageKind,
  waitKinds,
  workKinds,
  type AlertFact,
  type EndpointFacts,
  type EpisodeFacts,
  type Period,
  type ReportFacts,
  type Span,
  type WaitKind,
} from './facts.js';
import { nextSteps, type Step } from './next-steps.js';

export interface Share {
  readonly label: string;
  readonly count: number;
}

export interface StageShare {
  readonly stage: Stage;
  readonly counts: Readonly<Record<StageOutcome, number>>;
}

/** One option of a stage, as it was used. Two models that one option reported are two rows. */
export interface TierUse {
  readonly stage: Stage;
  readonly optionId: string;
  /** 0 is the chosen model; undefined where the plan is not known. */
  readonly tierIndex: number | undefined;
  readonly endpointId: string;
  readonly modelRequested: string;
  readonly modelReported: string;
  readonly artifacts: number;
  readonly reused: number;
  readonly degraded: number;
  readonly calls: number;
  readonly rerolls: number;
}

export interface EndpointUse extends EndpointFacts {
  /** Activities of this batch here. */
  readonly activities: number;
  /** Their attempts beyond the first. */
  readonly retries: number;
  readonly busyMs: number;
  /** Of its capacity, over the batch's time, by this batch; 0..1. */
  readonly busyShare: number;
  readonly outMs: number;
  readonly trips: number;
  readonly probesOk: number;
  readonly probesFailed: number;
  readonly waits: Readonly<Record<WaitKind, number>>;
}

export interface EpisodeRow {
  readonly episodeId: string;
  readonly title: string;
  readonly state: EpisodeFacts['state'];
  readonly reason?: string;
  readonly failureType?: string;
  readonly elapsedMs: number | undefined;
  readonly workMs: number;
  readonly waitMs: number;
  readonly times: Readonly<Record<Span['kind'], number>>;
  readonly outcomes: Readonly<Partial<Record<Stage, StageOutcome>>>;
}

/** What a report says, as numbers and sentences; nothing of how it looks. */
export interface ReportModel {
  readonly facts: ReportFacts;
  readonly elapsedMs: number;
  readonly outcomes: readonly Share[];
  readonly failureTypes: readonly (Share & { readonly example: string })[];
  readonly stageShares: readonly StageShare[];
  readonly times: Readonly<Record<Span['kind'], number>>;
  readonly tiers: readonly TierUse[];
  readonly endpoints: readonly EndpointUse[];
  readonly alerts: readonly AlertFact[];
  readonly episodes: readonly EpisodeRow[];
  readonly slowest: readonly EpisodeRow[];
  readonly failed: readonly EpisodeRow[];
  readonly steps: readonly Step[];
}

const slowestShown = 15;

export function reportModel(facts: ReportFacts): ReportModel {
  const episodes = facts.episodes.map(episodeRow);
  const failed = episodes.filter(({ state }) => state === 'failed');
  const timed = episodes.filter(({ elapsedMs }) => elapsedMs !== undefined);
  const spans = spansOf(facts.episodes);
  return {
    facts,
    elapsedMs: lengthOf(facts.period),
    outcomes: outcomesOf(facts, episodes),
    failureTypes: failureTypesOf(failed),
    stageShares: stages.map((stage) => ({ stage, counts: stageCounts(facts.episodes, stage) })),
    times: timeByKind(spans),
    tiers: tiersOf(facts),
    endpoints: facts.endpoints.map((endpoint) => endpointUse(endpoint, spans, facts.period)),
    alerts: alertsOf(facts),
    episodes,
    slowest: timed.sort((a, b) => (b.elapsedMs ?? 0) - (a.elapsedMs ?? 0)).slice(0, slowestShown),
    failed,
    steps: nextSteps(facts),
  };
}

export function lengthOf({ fromMs, toMs }: Period): number {
  return Math.max(0, toMs - fromMs);
}

function spansOf(episodes: readonly EpisodeFacts[]): Span[] {
  return episodes.flatMap(({ timeline }) => timeline?.spans ?? []);
}

function episodeRow({ timeline, stages: reports, ...episode }: EpisodeFacts): EpisodeRow {
  const { episodeId, title, state, reason, failureType } = episode;
  const times = timeByKind(timeline?.spans ?? []);
  const sum = (kinds: readonly Span['kind'][]): number => kinds.reduce((total, kind) => total + times[kind], 0);
  const finished = timeline?.spans.filter(({ end }) => end === 'completed') ?? [];
  const known = reports.map(({ stage, outcome }) => [stage, outcome] as const);
  // An episode that runs has told nobody yet; its history has.
  const seen = finished.flatMap(({ kind }) => (isStageKind(kind) ? [[kind, 'executed'] as const] : []));
  return {
    episodeId,
    title,
    state,
    ...(reason === undefined ? {} : { reason }),
    ...(failureType === undefined ? {} : { failureType }),
    elapsedMs: timeline === undefined ? undefined : lengthOf(timeline),
    workMs: sum(workKinds),
    waitMs: sum(waitKinds),
    times,
    outcomes: Object.fromEntries(known.length > 0 ? known : seen),
  };
}

/** Of those that are neither done nor failed nor skipped, some are in work. */
function outcomesOf(facts: ReportFacts, episodes: readonly EpisodeRow[]): Share[] {
  const { done, failed, skipped, remaining } = facts;
  const inWork = facts.isOpen ? Math.min(remaining, episodes.filter(({ state }) => state === 'inWork').length) : 0;
  return [
    { label: 'done', count: done },
    { label: 'failed', count: failed },
    { label: 'skipped', count: skipped },
    { label: 'in work', count: inWork },
    { label: 'remaining', count: Math.max(0, remaining - inWork) },
  ];
}

function failureTypesOf(failed: readonly EpisodeRow[]): ReportModel['failureTypes'] {
  const types = new Map<string, EpisodeRow[]>();
  for (const row of failed) {
    const type = row.failureType ?? 'unclassified';
    types.set(type, [...(types.get(type) ?? []), row]);
  }
  return [...types]
    .map(([label, rows]) => ({ label, count: rows.length, example: rows[0]?.reason ?? '' }))
    .sort((a, b) => b.count - a.count);
}

function stageCounts(episodes: readonly EpisodeFacts[], stage: Stage): Record<StageOutcome, number> {
  const outcomes = episodes.flatMap((episode) => episodeRow(episode).outcomes[stage] ?? []);
  const count = (outcome: StageOutcome): number => outcomes.filter((one) => one === outcome).length;
  return Object.fromEntries(stageOutcomes.map((outcome) => [outcome, count(outcome)])) as Record<StageOutcome, number>;
}

function tiersOf({ episodes, plan }: ReportFacts): TierUse[] {
  const uses = new Map<string, TierUse>();
  for (const report of episodes.flatMap((episode) => episode.stages)) {
    const { stage, optionId, endpointId = '', modelReported = '', outcome, attempts, rerolls = 0 } = report;
    if (optionId === undefined) continue;
    const chain = plan?.stages[stage].chain ?? [];
    const index = chain.findIndex((tier) => tier.optionId === optionId);
    const key = JSON.stringify([stage, optionId, endpointId, modelReported]);
    const use = uses.get(key) ?? {
      ...{ stage, optionId, endpointId, modelReported, artifacts: 0, reused: 0, degraded: 0, calls: 0, rerolls: 0 },
      tierIndex: index < 0 ? undefined : index,
      modelRequested: chain[index]?.model ?? '',
    };
    const isReused = outcome === 'reused';
    uses.set(key, {
      ...use,
      artifacts: use.artifacts + 1,
      reused: use.reused + (isReused ? 1 : 0),
      degraded: use.degraded + (outcome === 'degraded' ? 1 : 0),
      // What was reused was paid for before.
      calls: use.calls + (isReused ? 0 : attempts),
      rerolls: use.rerolls + (isReused ? 0 : rerolls),
    });
  }
  const order = (use: TierUse): number => stages.indexOf(use.stage) * 100 + (use.tierIndex ?? 99);
  return [...uses.values()].sort((a, b) => order(a) - order(b) || b.artifacts - a.artifacts);
}

function endpointUse(endpoint: EndpointFacts, spans: readonly Span[], period: Period): EndpointUse {
  const here = spans.filter(({ endpointId }) => endpointId === endpoint.endpointId);
  const calls = here.filter(({ kind }) => isStageKind(kind));
  // Of several attempts only the last is known by its times; the others were short of it, or failed.
  const busyMs = calls.reduce((total, { fromMs, toMs, lastAttemptMs }) => total + toMs - (lastAttemptMs ?? fromMs), 0);
  const available = lengthOf(period) * endpoint.capacity;
  const { circuits, probes, alerts } = endpoint;
  const isOut = (state: string): boolean => state === 'open' || state === 'halfOpen' || state === 'isolated';
  const times = timeByKind(here);
  return {
    ...endpoint,
    activities: calls.length,
    retries: calls.reduce((total, { attempts = 1 }) => total + attempts - 1, 0),
    busyMs,
    busyShare: available === 0 ? 0 : Math.min(1, busyMs / available),
    outMs: circuits.filter(({ state }) => isOut(state)).reduce((total, span) => total + lengthOf(span), 0),
    trips: alerts.filter(({ kind }) => kind === 'trip').length,
    probesOk: probes.filter(({ ok }) => ok).length,
    probesFailed: probes.filter(({ ok }) => !ok).length,
    waits: Object.fromEntries(waitKinds.map((kind) => [kind, times[kind]])) as Record<WaitKind, number>,
  };
}

/** Those of this batch, and those that name none. */
function alertsOf({ batchId, endpoints }: ReportFacts): AlertFact[] {
  return endpoints
    .flatMap(({ alerts }) => alerts)
    .filter(({ batchWorkflowId: batch }) => batch === undefined || batch === batchWorkflowId(batchId))
    .sort((a, b) => a.atMs - b.atMs);
}
