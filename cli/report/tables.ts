import { stageOutcomes, stages } from '../../src/stage.js';
import { markup, tableOf, type Column, type Markup } from './markup.js';
import type { EpisodeRow, ReportModel } from './model.js';
import { waitKinds, workKinds } from './facts.js';
import { duration, moment, percent } from './units.js';

/** Beyond so many rows a table helps nobody; the record has them all. */
const rowsAtMost = 2000;

const number = (title: string): Column => ({ title, numeric: true });
const text = (title: string): Column => ({ title });

export function outcomes({ outcomes, stageShares, failureTypes, facts }: ReportModel): Markup {
  const share = (count: number): string => (facts.requested === 0 ? '' : percent(count / facts.requested));
  const byStage = stageShares.map(({ stage, counts }) => [stage, ...stageOutcomes.map((outcome) => counts[outcome])]);
  const types = failureTypes.map(({ label, count, example }) => [label, count, example]);
  return markup`<div class="columns">
      ${tableOf(
        'Episodes by outcome',
        [text('Outcome'), number('Episodes'), number('Share')],
        [...outcomes.map(({ label, count }) => [label, count, share(count)]), ['requested', facts.requested, '']],
      )}
      ${tableOf('Stages by outcome', [text('Stage'), ...stageOutcomes.map(number)], byStage)}
    </div>
    ${types.length === 0 ? '' : tableOf('Failures by class', [text('Class'), number('Episodes'), text('For example')], types)}`;
}

export function times({ times, episodes }: ReportModel): Markup {
  const all = [...workKinds, ...waitKinds].reduce((total, kind) => total + times[kind], 0);
  const rows = [...workKinds, ...waitKinds].map((kind) => {
    const longest = Math.max(0, ...episodes.map((episode) => episode.times[kind]));
    return [kind, duration(times[kind]), all === 0 ? '' : percent(times[kind] / all), duration(longest)];
  });
  return tableOf(
    'Time of all episodes by what it went to',
    [text('What'), number('Episode time'), number('Share'), number('Most of one episode')],
    rows,
  );
}

export function endpoints({ endpoints }: ReportModel): Markup {
  const columns = [
    ...[text('Endpoint'), text('Circuit now'), number('Capacity'), number('Busy'), number('Calls'), number('Retries')],
    ...[number('Trips'), number('Probes ok / failed'), number('Away'), number('Queued for it'), number('Held by it')],
  ];
  const rows = endpoints.map((endpoint) => [
    ...[endpoint.endpointId, circuitNow(endpoint), endpoint.capacity, percent(endpoint.busyShare)],
    ...[endpoint.activities, endpoint.retries, endpoint.trips, `${endpoint.probesOk} / ${endpoint.probesFailed}`],
    ...[duration(endpoint.outMs), duration(endpoint.waits.queued), duration(endpoint.waits.held)],
  ]);
  return tableOf('Endpoints during this batch', columns, rows);
}

function circuitNow({ view }: ReportModel['endpoints'][number]): string {
  if (view === undefined) return 'no answer';
  const why = view.reason === undefined ? '' : ` (${view.reason})`;
  const next = view.nextProbeAt === undefined ? '' : `, next probe ${moment(Date.parse(view.nextProbeAt))}`;
  return `${view.circuit}${why}${next}`;
}

export function tiers({ tiers }: ReportModel): Markup {
  const columns = [
    ...[
      text('Stage'),
      text('Option'),
      text('Tier'),
      text('Endpoint'),
      text('Model asked for'),
      text('Model as reported'),
    ],
    ...[number('Artifacts'), number('Reused'), number('Degraded'), number('Calls'), number('Re-rolls')],
  ];
  const rows = tiers.map((tier) => [
    ...[tier.stage, tier.optionId, tierName(tier.tierIndex), tier.endpointId, tier.modelRequested, tier.modelReported],
    ...[tier.artifacts, tier.reused, tier.degraded, tier.calls, tier.rerolls],
  ]);
  return tableOf('Tiers used, and models as their services reported them', columns, rows);
}

function tierName(index: number | undefined): string {
  if (index === undefined) return '';
  return index === 0 ? '0, chosen' : `${index}, fallback`;
}

const alertTexts = {
  trip: 'Circuit tripped',
  fuseOpen: 'Fuse open, batch halted',
  blocked: 'Needs a person',
  recovered: 'Recovered',
} as const;

export function alerts({ alerts }: ReportModel): Markup {
  const rows = alerts
    .slice(-rowsAtMost)
    .map(({ atMs, endpointId, kind, reason, sinceMs }) => [
      ...[moment(atMs), endpointId, alertTexts[kind], reason, moment(sinceMs)],
    ]);
  return tableOf(
    'Alerts, as they were raised',
    [text('At'), text('Endpoint'), text('Alert'), text('Reason'), text('Since')],
    rows,
  );
}

const episodeName = ({ title, episodeId }: EpisodeRow): Markup =>
  markup`${title || episodeId}<br /><code>${episodeId}</code>`;

export function failed({ failed }: ReportModel): Markup {
  const rows = failed
    .slice(0, rowsAtMost)
    .map((row) => [...[episodeName(row), row.failureType ?? '', row.reason ?? '', timeOf(row.elapsedMs)]]);
  return tableOf('Failed episodes and why', [text('Episode'), text('Class'), text('Reason'), number('Took')], rows);
}

export function slowest({ slowest }: ReportModel): Markup {
  const columns = [
    text('Episode'),
    text('State'),
    number('Took'),
    number('Working'),
    number('Queued'),
    number('Held'),
    number('Halted or paused'),
    text('Longest part'),
  ];
  const rows = slowest.map((row) => [
    ...[episodeName(row), stateName(row), timeOf(row.elapsedMs), duration(row.workMs), duration(row.times.queued)],
    ...[duration(row.times.held), duration(row.times.halted + row.times.paused), longestPart(row)],
  ]);
  return tableOf('Slowest episodes', columns, rows);
}

function longestPart({ times }: EpisodeRow): string {
  const [longest] = [...workKinds, ...waitKinds].sort((a, b) => times[b] - times[a]);
  return longest === undefined ? '' : `${longest}, ${duration(times[longest])}`;
}

export function episodes({ episodes }: ReportModel): Markup {
  const columns = [
    text('Episode'),
    text('State'),
    ...stages.map(text),
    number('Took'),
    number('Waited'),
    text('Reason'),
  ];
  const rows = episodes
    .slice(0, rowsAtMost)
    .map((row) => [
      ...[episodeName(row), stateName(row), ...stages.map((stage) => row.outcomes[stage] ?? '')],
      ...[timeOf(row.elapsedMs), duration(row.waitMs), row.reason ?? ''],
    ]);
  const rest = episodes.length - rows.length;
  return markup`${tableOf('All episodes', columns, rows)}${rest > 0 ? markup`<p>And ${rest} more: see the batch's record in the corpus.</p>` : ''}`;
}

function stateName({ state }: EpisodeRow): string {
  return state === 'inWork' ? 'in work' : state;
}

function timeOf(ms: number | undefined): string {
  return ms === undefined ? '' : duration(ms);
}
