import {
  waitKinds,
  workKinds,
  stageOfActivity,
  type EpisodeTimeline,
  type Span,
  type WaitKind,
  type WorkKind,
} from './facts.js';
import type { Ending, RunEvent } from './run-events.js';

/** Shorter gaps are messages on their way. */
const waitFromMs = 250;

/** What an episode's own state, as its search attributes show it, calls a wait. */
const waitOfState: Readonly<Record<string, WaitKind>> = { holding: 'held', halted: 'halted', paused: 'paused' };

/**
 * Where an episode's time went: its activities, and between them what it waited for. Of an episode that runs, up to
 * `nowMs`.
 */
export function episodeTimeline(events: readonly RunEvent[], nowMs: number): EpisodeTimeline | undefined {
  const started = events.find(({ kind }) => kind === 'started');
  if (started === undefined) return undefined;
  const ended = events.find(({ kind }) => kind === 'ended');
  const toMs = ended?.atMs ?? Math.max(nowMs, started.atMs);
  const work = workSpans(events, toMs);
  const waits = gapsBetween(work, { fromMs: started.atMs, toMs }).flatMap((gap) =>
    waitsWithin(gap, { events, next: work.find(({ fromMs }) => fromMs >= gap.toMs) }),
  );
  const spans = [...work, ...waits].sort((a, b) => a.fromMs - b.fromMs);
  return { fromMs: started.atMs, toMs, isOpen: ended === undefined, spans };
}

function workSpans(events: readonly RunEvent[], toMs: number): Span[] {
  const attempts = new Map(
    events.flatMap((event) => (event.kind === 'attempt' ? [[event.activityId, event] as const] : [])),
  );
  const closings = new Map(
    events.flatMap((event) => (event.kind === 'closed' ? [[event.activityId, event] as const] : [])),
  );
  return events.flatMap((event) => {
    if (event.kind !== 'scheduled') return [];
    const kind = stageOfActivity[event.activity];
    if (kind === undefined) return [];
    const attempt = attempts.get(event.activityId);
    const closed = closings.get(event.activityId);
    const isRetried = attempt !== undefined && attempt.attempt > 1;
    const failed = closed !== undefined && closed.how !== 'completed' && closed.message !== undefined;
    const span: Span = {
      kind,
      fromMs: event.atMs,
      toMs: Math.max(closed?.atMs ?? toMs, event.atMs),
      ...placeOf(kind, event),
      ...(attempt === undefined ? {} : { attempts: attempt.attempt }),
      ...(isRetried ? { lastAttemptMs: attempt.atMs } : {}),
      end: endOf(closed?.how),
      ...(failed ? { reason: closed.message ?? '' } : {}),
    };
    return [span];
  });
}

type EventOf<K extends RunEvent['kind']> = Extract<RunEvent, { kind: K }>;

function endOf(how: Ending | undefined): Span['end'] {
  if (how === undefined) return 'open';
  if (how === 'completed' || how === 'cancelled') return how;
  return 'failed';
}

/** A stage's summary is `<model> at <endpoint>`. */
function placeOf(
  kind: WorkKind,
  { summary, input }: EventOf<'scheduled'>,
): Pick<Span, 'endpointId' | 'model' | 'tierIndex'> {
  if (kind === 'audio' || kind === 'publish') return {};
  const tierIndex = isObject(input) && typeof input['tierIndex'] === 'number' ? { tierIndex: input['tierIndex'] } : {};
  const at = summary?.lastIndexOf(' at ') ?? -1;
  if (summary === undefined || at < 0) return tierIndex;
  return { model: summary.slice(0, at), endpointId: summary.slice(at + 4), ...tierIndex };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
}

function gapsBetween(work: readonly Span[], within: Gap): Gap[] {
  const gaps: Gap[] = [];
  let cursorMs = within.fromMs;
  for (const span of work) {
    if (span.fromMs > cursorMs) gaps.push({ fromMs: cursorMs, toMs: span.fromMs });
    cursorMs = Math.max(cursorMs, span.toMs);
  }
  if (within.toMs > cursorMs) gaps.push({ fromMs: cursorMs, toMs: within.toMs });
  return gaps;
}

/** What was waited for in a gap, cut where the episode's state changed. */
function waitsWithin(gap: Gap, { events, next }: { events: readonly RunEvent[]; next: Span | undefined }): Span[] {
  const changes = events.filter(
    (event): event is EventOf<'attributes'> =>
      event.kind === 'attributes' && typeof event.values['HoldfastState'] === 'string',
  );
  const inside = changes.filter(({ atMs }) => atMs > gap.fromMs && atMs < gap.toMs);
  const cuts = [gap.fromMs, ...inside.map(({ atMs }) => atMs), gap.toMs];
  return cuts.slice(1).flatMap((toMs, index) => {
    const fromMs = cuts[index] ?? gap.fromMs;
    if (toMs - fromMs < waitFromMs) return [];
    const values = changes.findLast(({ atMs }) => atMs <= fromMs)?.values ?? {};
    const kind = waitOfState[String(values['HoldfastState'])] ?? 'queued';
    // What comes before the first activity is the worker's own time, not an endpoint's.
    if (kind === 'queued' && next?.kind === 'audio') return [];
    const told = values['HoldfastEndpoint'];
    const endpointId = typeof told === 'string' ? told : next?.endpointId;
    return [{ kind, fromMs, toMs, end: 'completed' as const, ...(endpointId === undefined ? {} : { endpointId }) }];
  });
}

/** Time of an episode by kind, in ms. */
export function timeByKind(spans: readonly Span[]): Readonly<Record<Span['kind'], number>> {
  const kinds = [...workKinds, ...waitKinds];
  const sum = (kind: Span['kind']): number =>
    spans.filter((span) => span.kind === kind).reduce((total, { fromMs, toMs }) => total + toMs - fromMs, 0);
  return Object.fromEntries(kinds.map((kind) => [kind, sum(kind)])) as Record<Span['kind'], number>;
}
