import type { EpisodeFacts, ReportFacts, Span } from '../../cli/report/facts.js';
import { stages, type Stage } from '../../src/stage.js';

const startMs = Date.UTC(2026, 10, 27, 18);
const minuteMs = 60_000;
const endpointOf: Readonly<Record<Stage, string>> = {
  transcribe: 'asr',
  diarize: 'diarizer',
  summarize: 'llm',
  gi: 'llm',
  kg: 'llm',
};

/** A weekend: so many episodes one after the other, two minutes a stage, one in twenty failed, and one long outage. */
export function weekendFacts(count: number): ReportFacts {
  const episodes = Array.from({ length: count }, (_, n) => episode(n));
  const failed = episodes.filter(({ state }) => state === 'failed').length;
  const toMs = Math.max(startMs, ...episodes.map(({ timeline }) => timeline?.toMs ?? 0));
  const outage = { fromMs: startMs + 600 * minuteMs, toMs: startMs + 900 * minuteMs };
  const circuits = [
    { state: 'closed', fromMs: startMs, toMs: outage.fromMs },
    { state: 'open', ...outage },
    { state: 'closed', fromMs: outage.toMs, toMs },
  ];
  const probes = Array.from({ length: 600 }, (_, n) => ({
    atMs: outage.fromMs + n * (minuteMs / 2),
    ok: n === 599,
    ...(n === 599 ? {} : { reason: 'HTTP 503' }),
  }));
  const alert = { endpointId: 'asr', reason: 'HTTP 503', sinceMs: outage.fromMs };
  return {
    ...{ batchId: 'weekend', takenAtMs: toMs, period: { fromMs: startMs, toMs }, isOpen: false, state: 'failed' },
    ...{ requested: count, done: count - failed, failed, skipped: 0, remaining: 0 },
    why: `Ended: ${count - failed} of ${count} episodes done, ${failed} failed.`,
    states: [{ state: 'running', fromMs: startMs, toMs }],
    ...{ halts: [], waitsFor: [], findings: [], notes: [], gaps: [] },
    input: { source: { feed: 'https://example.com/feed.xml?token=secret' }, profile: 'reprocess_dgx_turbo' },
    corpusDir: '/data/corpus',
    episodes,
    endpoints: ['asr', 'diarizer', 'llm'].map((endpointId) => ({
      endpointId,
      capacity: 2,
      circuits: endpointId === 'asr' ? circuits : [{ state: 'closed', fromMs: startMs, toMs }],
      probes: endpointId === 'asr' ? probes : [],
      alerts:
        endpointId === 'asr'
          ? [
              { ...alert, kind: 'trip', atMs: outage.fromMs },
              { ...alert, kind: 'recovered', atMs: outage.toMs },
            ]
          : [],
    })),
  };
}

function episode(n: number): EpisodeFacts {
  const fromMs = startMs + n * 2 * minuteMs;
  const isFailed = n % 20 === 3;
  const made = isFailed ? stages.slice(0, 1) : stages;
  const spans: Span[] = [
    { kind: 'audio', fromMs, toMs: fromMs + 5000, end: 'completed' },
    { kind: 'queued', fromMs: fromMs + 5000, toMs: fromMs + minuteMs, endpointId: 'asr', end: 'completed' },
    ...made.map((kind, index): Span => {
      const beginMs = fromMs + minuteMs + index * 2 * minuteMs;
      const place = { endpointId: endpointOf[kind], model: `model-${kind}`, tierIndex: 0 };
      return { kind, fromMs: beginMs, toMs: beginMs + 2 * minuteMs, ...place, attempts: 1, end: 'completed' };
    }),
  ];
  const by = { optionId: 'chosen', modelReported: 'model', attempts: 1 };
  return {
    episodeId: `episode-${n}`,
    feedId: 'feed',
    title: `Episode ${n} of a long series with a name`,
    state: isFailed ? 'failed' : 'done',
    ...(isFailed ? { reason: 'diarize: HTTP 413', failureType: 'ContentRejected' as const } : {}),
    stages: stages.map((stage) =>
      made.includes(stage)
        ? { stage, outcome: 'executed' as const, endpointId: endpointOf[stage], ...by }
        : { stage, outcome: 'skipped' as const, reason: 'not reached', attempts: 0 },
    ),
    timeline: { fromMs, toMs: spans.at(-1)?.toMs ?? fromMs, isOpen: false, spans },
  };
}
