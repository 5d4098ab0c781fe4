import type { StateSpan } from './facts.js';
import { markup, Markup } from './markup.js';
import type { ReportModel } from './model.js';
import * as tables from './tables.js';
import { duration, moment } from './units.js';

/** Under a heading of its own each; `assets/report/charts.js` finds the charts by their ids. */

function chart(id: string, label: string): Markup {
  return markup`<div class="chart" id="${id}" role="img" aria-label="${label}; the same figures are in the tables"></div>`;
}

export function header({ facts, elapsedMs, times, tiers, alerts }: ReportModel): Markup {
  const { batchId, state, why, period, plan, done, requested, failed, isOpen } = facts;
  const calls = tiers.reduce((total, tier) => total + tier.calls, 0);
  const posture = plan === undefined ? '' : ` · ${plan.profile} · ${plan.runContext} · ${plan.failureStrategy}`;
  const figures: readonly (readonly [string, string])[] = [
    ['episodes done', `${done} of ${requested}`],
    ['failed', String(failed)],
    [isOpen ? 'so far' : 'took', duration(elapsedMs)],
    ['held, all episodes together', duration(times.held)],
    ['model calls', String(calls)],
    ['alerts', String(alerts.length)],
  ];
  return markup`<header>
<p class="kicker">Holdfast batch report</p>
<h1>${batchId} <span class="state ${state}">${state}</span></h1>
<p class="why">${why}</p>
<p class="meta">${moment(period.fromMs)} – ${isOpen ? 'now' : moment(period.toMs)}${posture}</p>
<dl class="figures">${figures.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</header>`;
}

/** What could not be had. */
export function gaps({ facts }: ReportModel): Markup {
  if (facts.gaps.length === 0) return new Markup('');
  return markup`<aside aria-label="What is missing">${facts.gaps.map((gap) => markup`<p>${gap}</p>`)}</aside>`;
}

export function next({ steps, facts }: ReportModel): Markup {
  const list = (title: string, lines: readonly string[]): Markup | string =>
    lines.length === 0 ? '' : markup`<h3>${title}</h3><ul>${lines.map((line) => markup`<li>${line}</li>`)}</ul>`;
  const items = steps.map(
    ({ text, command }) =>
      markup`<li>${text}${command === undefined ? '' : markup`<pre tabindex="0">${command}</pre>`}</li>`,
  );
  return markup`<ol class="steps">${items}</ol>
${list('What the closing check found', facts.findings)}
${list('Notes of the start', facts.notes)}`;
}

export function outcome(model: ReportModel): Markup {
  return markup`${chart('outcome-chart', 'Episodes and stages by outcome')}
${tables.outcomes(model)}`;
}

export function endpoints(model: ReportModel): Markup {
  return markup`${chart('busy-chart', 'Busy and away share of each endpoint')}
${tables.endpoints(model)}
<p class="hint">Busy: the time that calls of this batch were under way, as a share of the endpoint’s capacity over the whole time. Of a stage that was retried only the last attempt is counted. Away: circuit open, half open or isolated.</p>`;
}

export function time(model: ReportModel): Markup {
  return markup`${chart('time-chart', 'Episode time by what it went to')}
${tables.times(model)}`;
}

export function allEpisodes(model: ReportModel): Markup {
  return markup`<details><summary>Show all ${model.episodes.length}</summary>
${tables.episodes(model)}</details>`;
}

export function timeline({ facts, endpoints: used }: ReportModel): Markup {
  if (facts.episodes.every((episode) => episode.timeline === undefined)) return markup`<p>No times are known.</p>`;
  const late = used.filter(
    ({ knownFromMs, circuits }) => knownFromMs !== undefined && isLate(circuits, facts.period.fromMs),
  );
  return markup`<p class="hint">Above, the batch and each endpoint: its circuit, probes and alerts, and under it the calls of this batch. Below, each episode, in the order they began. The sliders zoom, as does the wheel with Shift; a click on a name hides it. A red frame: it failed.</p>
<ul class="key" aria-label="Signs of the endpoints’ lanes">
<li><i class="closed"></i>closed, running</li><li><i class="halfOpen"></i>suspect, half open, holding</li><li><i class="open"></i>open</li><li><i class="halted"></i>halted, ended early</li><li><i class="isolated"></i>isolated, paused</li>
<li><b class="ok">●</b>probe answered</li><li><b class="cross">✕</b>probe failed</li><li><b class="sign">▼</b>trip</li><li><b class="sign">◆</b>fuse open, or needs a person</li><li><b class="ok">▲</b>recovered</li>
</ul>
${chart('timeline-chart', 'Timeline of endpoints and episodes')}
<noscript><p>The charts need a script; every figure is in the tables.</p></noscript>
${late.map(({ endpointId, knownFromMs = 0 }) => markup`<p class="hint">Of ${endpointId} the server has nothing before ${moment(knownFromMs)}.</p>`)}`;
}

/** An endpoint that was begun by this batch has no past to miss. */
const usualDelayMs = 60_000;

function isLate(circuits: readonly StateSpan[], fromMs: number): boolean {
  return (circuits[0]?.fromMs ?? fromMs) > fromMs + usualDelayMs;
}
