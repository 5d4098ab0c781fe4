import { stageOutcomes, type StageOutcome } from '../../src/stage.js';
import {
  isStageKind,
  waitKinds,
  workKinds,
  type EndpointFacts,
  type EpisodeFacts,
  type Period,
  type Span,
} from './facts.js';
import type { ReportModel } from './model.js';

/** `[row, from, to, index into places or -1, attempts or 0, last attempt's start or -1, index into reasons or -1, end]`. */
export type SpanTuple = readonly [number, number, number, number, number, number, number, Span['end']];

export interface LaneData {
  readonly name: string;
  /** `[from, to, state]`. */
  readonly states: readonly (readonly [number, number, string])[];
  /** `[from, to, kind]`: calls of this batch. */
  readonly calls: readonly (readonly [number, number, string])[];
  /** `[at, ok, reason]`. */
  readonly probes: readonly (readonly [number, 0 | 1, string])[];
  /** `[at, kind, reason]`. */
  readonly alerts: readonly (readonly [number, string, string])[];
}

/** What the page's script draws; times are ms from `startMs`. Read by `assets/report/charts.js`. */
export interface ChartData {
  readonly startMs: number;
  readonly lengthMs: number;
  readonly kinds: readonly Span['kind'][];
  readonly places: readonly string[];
  readonly reasons: readonly string[];
  readonly rows: readonly { readonly id: string; readonly title: string; readonly state: string }[];
  /** By kind. */
  readonly spans: Readonly<Record<Span['kind'], readonly SpanTuple[]>>;
  readonly lanes: readonly LaneData[];
  readonly outcomes: ReportModel['outcomes'];
  readonly stages: readonly { readonly stage: string; readonly counts: readonly number[] }[];
  readonly stageOutcomes: readonly StageOutcome[];
  /** Ms by kind over all episodes. */
  readonly times: ReportModel['times'];
  readonly busy: readonly { readonly endpointId: string; readonly share: number; readonly out: number }[];
}

/** Names by number: a thousand episodes repeat the same few. */
class Names {
  private readonly numbers = new Map<string, number>();

  numberOf(name: string | undefined): number {
    if (name === undefined) return -1;
    const known = this.numbers.get(name) ?? this.numbers.size;
    this.numbers.set(name, known);
    return known;
  }

  get all(): string[] {
    return [...this.numbers.keys()];
  }
}

export function chartData({ facts, endpoints, outcomes, stageShares, times, elapsedMs }: ReportModel): ChartData {
  const places = new Names();
  const reasons = new Names();
  const kinds = [...workKinds, ...waitKinds];
  const { period } = facts;
  const timed = facts.episodes
    .filter((episode) => episode.timeline !== undefined)
    .sort((a, b) => (a.timeline?.fromMs ?? 0) - (b.timeline?.fromMs ?? 0));
  const tuples = timed.flatMap(({ timeline }, row) =>
    (timeline?.spans ?? []).map((span) => ({
      kind: span.kind,
      tuple: tupleOf(span, { row, period, places, reasons }),
    })),
  );
  const ofKind = (kind: Span['kind']): SpanTuple[] =>
    tuples.flatMap((span) => (span.kind === kind ? [span.tuple] : []));
  const spans = Object.fromEntries(kinds.map((kind) => [kind, ofKind(kind)] as const)) as Record<
    Span['kind'],
    SpanTuple[]
  >;
  const batch = { name: 'batch', states: statesIn(facts.states, period), calls: [], probes: [], alerts: [] };
  return {
    startMs: period.fromMs,
    lengthMs: elapsedMs,
    kinds,
    places: places.all,
    reasons: reasons.all,
    rows: timed.map(({ episodeId, title, state }) => ({ id: episodeId, title, state })),
    spans,
    lanes: [batch, ...endpoints.map((endpoint) => laneOf(endpoint, timed, period))],
    outcomes,
    stages: stageShares.map(({ stage, counts }) => ({
      stage,
      counts: stageOutcomes.map((outcome) => counts[outcome]),
    })),
    stageOutcomes,
    times,
    busy: endpoints.map(({ endpointId, busyShare, outMs }) => ({
      endpointId,
      share: busyShare,
      out: elapsedMs === 0 ? 0 : outMs / elapsedMs,
    })),
  };
}

interface TupleContext {
  readonly row: number;
  readonly period: Period;
  readonly places: Names;
  readonly reasons: Names;
}

function tupleOf(span: Span, { row, period, places, reasons }: TupleContext): SpanTuple {
  const at = (ms: number): number => Math.round(ms - period.fromMs);
  const { fromMs, toMs, attempts = 0, lastAttemptMs, reason, end } = span;
  const lastAttempt = lastAttemptMs === undefined ? -1 : at(lastAttemptMs);
  const [place, why] = [places.numberOf(placeOf(span)), reasons.numberOf(reason)];
  return [row, at(fromMs), at(toMs), place, attempts, lastAttempt, why, end];
}

function placeOf({ model, endpointId, tierIndex = 0 }: Span): string | undefined {
  if (model === undefined || endpointId === undefined) return endpointId;
  return `${model} at ${endpointId}${tierIndex > 0 ? ` (tier ${tierIndex})` : ''}`;
}

function statesIn(states: EndpointFacts['circuits'], { fromMs }: Period): LaneData['states'] {
  return states.map((span) => [span.fromMs - fromMs, span.toMs - fromMs, span.state] as const);
}

function laneOf(
  { endpointId, circuits, probes, alerts }: EndpointFacts,
  episodes: readonly EpisodeFacts[],
  period: Period,
): LaneData {
  const start = period.fromMs;
  const here = episodes.flatMap(
    ({ timeline }) => timeline?.spans.filter((span) => span.endpointId === endpointId) ?? [],
  );
  const calls = here.filter(({ kind }) => isStageKind(kind));
  return {
    name: endpointId,
    states: statesIn(circuits, period),
    calls: calls.map(({ kind, fromMs, toMs }) => [fromMs - start, toMs - start, kind] as const),
    probes: probes.map(({ atMs, ok, reason = '' }) => [atMs - start, ok ? 1 : 0, reason] as const),
    alerts: alerts.map(({ atMs, kind, reason }) => [atMs - start, kind, reason] as const),
  };
}
