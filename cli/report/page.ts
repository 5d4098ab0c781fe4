import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../../setup/context.js';
import { chartData } from './chart-data.js';
import { jsonForScript, markup, Markup } from './markup.js';
import type { ReportModel } from './model.js';
import * as sections from './sections.js';
import * as tables from './tables.js';
import { moment } from './units.js';

/** Everything that the page brings along; it fetches nothing. */
interface Assets {
  readonly style: string;
  readonly library: string;
  readonly script: string;
}

async function readAssets(): Promise<Assets> {
  const own = (name: string): Promise<string> => readFile(path.join(projectRoot(), 'assets', 'report', name), 'utf8');
  const library = readFile(require.resolve('echarts/dist/echarts.min.js'), 'utf8');
  return { style: await own('report.css'), script: await own('charts.js'), library: await library };
}

/**
 * One HTML page that needs nothing but itself. Only its own two scripts may run, by their digests, and nothing may be
 * fetched: whatever a feed's title holds stays text.
 */
export async function reportPage(model: ReportModel): Promise<string> {
  const { style, library, script } = await readAssets();
  const policy = [
    "default-src 'none'",
    `script-src ${[library, script].map((code) => `'sha256-${sha256Base64(code)}'`).join(' ')}`,
    // The chart library sets styles of its own; without anything to fetch they can harm nobody.
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="holdfast report">
<title>${model.facts.batchId}: Holdfast report</title>
<style>${new Markup(style)}</style>
</head>
<body>
${bodyOf(model)}
<script type="application/json" id="report-data">${jsonForScript(chartData(model))}</script>
<script>${new Markup(library)}</script>
<script>${new Markup(script)}</script>
</body>
</html>
`;
  return page.text;
}

function sha256Base64(code: string): string {
  return createHash('sha256').update(code).digest('base64');
}

function bodyOf(model: ReportModel): Markup {
  const { facts, failed, alerts, slowest, tiers, endpoints, episodes } = model;
  const when = (isThere: boolean, id: string, [title, content]: readonly [string, () => Markup]): Markup | string =>
    isThere ? section(id, title, content()) : '';
  return markup`${sections.header(model)}
<main>
${sections.gaps(model)}
${section('next', 'What to do next', sections.next(model))}
${section('outcome', 'Outcome', sections.outcome(model))}
${when(failed.length > 0, 'failed', [`Failed episodes (${failed.length})`, () => tables.failed(model)])}
${section('timeline', 'Timeline', sections.timeline(model))}
${when(endpoints.length > 0, 'endpoints', ['Endpoints', () => sections.endpoints(model)])}
${when(alerts.length > 0, 'alerts', [`Alerts (${alerts.length})`, () => tables.alerts(model)])}
${section('time', 'Where the time went', sections.time(model))}
${when(tiers.length > 0, 'models', ['Tiers and models', () => tables.tiers(model)])}
${when(slowest.length > 0, 'slowest', ['Slowest episodes', () => tables.slowest(model)])}
${when(episodes.length > 0, 'episodes', ['All episodes', () => sections.allEpisodes(model)])}
</main>
<footer>Made by <code>holdfast report ${facts.batchId}</code> on ${moment(facts.takenAtMs)}. Times are UTC. This page is complete: it loads nothing.</footer>`;
}

function section(id: string, title: string, content: Markup): Markup {
  return markup`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${content}
</section>`;
}
