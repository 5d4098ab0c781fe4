import { locateQuote, transcriptText, type LocatedQuote } from '../../src/grounding.js';
import { insightCap, type Insight } from '../../src/insights.js';
import { passGate, withoutDuplicates, type InsightCandidate } from '../../src/insight-selection.js';
import { labelledChunks } from '../../src/labelled-transcript.js';
import type { SpeakerName } from '../../src/speaker-names.js';
import { parseAnswer } from '../../src/structured-answers/answer-shape.js';
import { entailmentShape } from '../../src/structured-answers/entailment.js';
import { insightsShape, parseInsights } from '../../src/structured-answers/insights.js';
import { insightValueGateShape, tierOfValue } from '../../src/structured-answers/insight-value-gate.js';
import { InvalidAnswerError } from '../../src/structured-answers/invalid-answer.js';
import { quotesShape, type QuotesAnswer } from '../../src/structured-answers/quotes.js';
import type { Transcript } from '../../src/transcript.js';
import { spokenWordCount } from '../../src/words.js';
import { inOrder } from './in-order.js';
import type { ModelCalls } from './model-calls.js';
import { entailmentPrompt } from './prompts/entailment.js';
import { insightValueGatePrompt } from './prompts/insight-value-gate.js';
import { insightsPrompt } from './prompts/insights.js';
import { quotesPrompt } from './prompts/quotes.js';

const defaultChunkChars = 30_000;
const outputTokens = { insights: 3000, gate: 1500, quotes: 2500, entailment: 1500 } as const;
const batch = { gate: 40, quotes: 10, entailment: 20 } as const;
const quotesPerInsight = 3;
/** Fewer words are agreement or a fragment, and support nothing; more are a passage, in which anything is said. */
const minQuoteWords = 3;
const maxQuoteWords = 120;
/** The number in front of an item, and the line's end. */
const numberChars = 6;

/** How many characters of this episode's text fit into a question with that prompt and answer. */
type RoomFor = (prompt: string, maxOutputTokens: number) => number;

interface Judging {
  readonly notes: string[];
  readonly roomFor: RoomFor;
}

interface Reading {
  readonly chunks: readonly string[];
  readonly transcript: Transcript;
  readonly roomFor: RoomFor;
}

export interface Grounded {
  /** The most valuable first. */
  readonly insights: readonly Insight[];
  readonly degraded: readonly string[];
}

/**
 * Grounded insights by a model: extraction chunk by chunk, duplicates out, value gate, quotes that the transcript has,
 * entailment check. Gate and entailment fail open and say so; the rest throws `InvalidAnswerError`.
 */
export async function insightsByModel(
  calls: ModelCalls,
  transcript: Transcript,
  names: readonly SpeakerName[],
): Promise<Grounded> {
  const { maxInsights, chunkChars = defaultChunkChars, dedupeThreshold, valueGateMinTier: minTier } = calls.figures;
  const text = transcriptText(transcript);
  const roomFor: RoomFor = (prompt, maxOutputTokens) => calls.userChars(prompt, maxOutputTokens, text);
  const room = Math.floor(Math.min(chunkChars, roomFor(quotesPrompt, outputTokens.quotes) * 0.75));
  const chunks = labelledChunks(transcript, names, room);
  if (chunks.length === 0) throw new InvalidAnswerError(insightsShape.name, 'empty_transcript');
  const notes: string[] = [];
  const candidates = withoutDuplicates(await extract(calls, chunks, notes), dedupeThreshold);
  if (candidates.length === 0) return { insights: [], degraded: ['no insight was found'] };
  const cap = maxInsights ?? insightCap(transcript.durationSec);
  const kept = passGate(await rate(calls, candidates, { notes, roomFor }), { cap, minTier });
  const quoted = await withQuotes(calls, kept, { chunks, transcript, roomFor });
  const insights = await entailed(calls, quoted, { notes, roomFor });
  if (insights.every((insight) => insight.quotes.length === 0)) notes.push('no insight could be grounded');
  return { insights, degraded: [...new Set(notes)] };
}

async function extract(calls: ModelCalls, chunks: readonly string[], notes: string[]): Promise<InsightCandidate[]> {
  const lists = await inOrder({
    items: chunks,
    task: (user) =>
      calls.ask({
        shape: insightsShape,
        system: insightsPrompt,
        user,
        maxOutputTokens: outputTokens.insights,
        read: parseInsights,
        maxReroll: 0,
        lengthAllowed: true,
      }),
  });
  if (lists.some((list) => list.salvaged)) notes.push('insights salvaged from a list that was cut');
  return lists.flatMap((list, chunk) => list.lines.map((line) => ({ ...line, chunk })));
}

/** The value gate; where its answer stays invalid after the re-roll, everything is kept. */
async function rate(
  calls: ModelCalls,
  candidates: readonly InsightCandidate[],
  { notes, roomFor }: Judging,
): Promise<InsightCandidate[]> {
  const limits = { most: batch.gate, chars: roomFor(insightValueGatePrompt, outputTokens.gate) };
  const rated = await inOrder({
    items: batches(candidates, limits, ({ text }) => text),
    task: async (group) => {
      const question = {
        shape: insightValueGateShape,
        system: insightValueGatePrompt,
        user: numbered(group.map((candidate) => candidate.text)),
        maxOutputTokens: outputTokens.gate,
        read: (text: string) => parseAnswer(insightValueGateShape, text),
      };
      const { value, missing } = await calls.askOptional(question);
      if (missing !== undefined) notes.push(`value gate failed open: ${missing}`);
      const tiers = new Map(value?.ratings.map((rating) => [rating.insight, tierOfValue[rating.value]]));
      if (value !== undefined && group.some((_, index) => !tiers.has(index)))
        notes.push('value gate left some unrated');
      return group.map((candidate, index): InsightCandidate => {
        const tier = tiers.get(index);
        return tier === undefined ? candidate : { ...candidate, tier };
      });
    },
  });
  return rated.flat();
}

/** Quotes are asked for in the chunk where the insight was found, and count only where the transcript has them. */
async function withQuotes(
  calls: ModelCalls,
  kept: readonly InsightCandidate[],
  { chunks, transcript, roomFor }: Reading,
): Promise<Insight[]> {
  const roomChars = roomFor(quotesPrompt, outputTokens.quotes);
  const found = new Map<InsightCandidate, LocatedQuote[]>(kept.map((candidate) => [candidate, []]));
  const groups = chunks.flatMap((chunk, index) =>
    batches(
      kept.filter((candidate) => candidate.chunk === index),
      { most: batch.quotes, chars: roomChars - chunk.length },
      ({ text }) => text,
    ).map((group) => ({ chunk, group })),
  );
  const answers = await inOrder({ items: groups, task: ({ chunk, group }) => askForQuotes(calls, chunk, group) });
  for (const [index, { quotes }] of answers.entries()) {
    for (const { insight, quote } of quotes) {
      const located = locateQuote(transcript, quote);
      const candidate = groups[index]?.group[insight];
      const known = candidate === undefined ? undefined : found.get(candidate);
      if (located === undefined || known === undefined || !isTelling(located)) continue;
      if (!known.some((other) => isSamePlace(other, located))) known.push(located);
    }
  }
  return [...found].map(([{ text, type, tier }, quotes]) => ({
    text,
    type,
    ...(tier === undefined ? {} : { tier }),
    quotes: quotes.slice(0, quotesPerInsight),
  }));
}

function askForQuotes(calls: ModelCalls, chunk: string, group: readonly InsightCandidate[]): Promise<QuotesAnswer> {
  return calls.ask({
    shape: quotesShape,
    system: quotesPrompt,
    user: `Insights:\n${numbered(group.map((candidate) => candidate.text))}\n\nTranscript:\n${chunk}`,
    maxOutputTokens: outputTokens.quotes,
    read: (text) => parseAnswer(quotesShape, text),
  });
}

/** Drops the quotes that do not support their insight; where the model cannot judge that, they stay. */
async function entailed(
  calls: ModelCalls,
  insights: readonly Insight[],
  { notes, roomFor }: Judging,
): Promise<Insight[]> {
  const pairs = insights.flatMap((insight) => insight.quotes.map((quote) => ({ insight, quote })));
  const limits = { most: batch.entailment, chars: roomFor(entailmentPrompt, outputTokens.entailment) };
  const refuted = await inOrder({
    items: batches(pairs, limits, pairText),
    task: async (group) => {
      const question = {
        shape: entailmentShape,
        system: entailmentPrompt,
        user: numbered(group.map(pairText)),
        maxOutputTokens: outputTokens.entailment,
        read: (text: string) => parseAnswer(entailmentShape, text),
      };
      const { value, missing } = await calls.askOptional(question);
      if (missing !== undefined) notes.push(`entailment was not checked: ${missing}`);
      const judged = new Set(value?.verdicts.map(({ pair }) => pair));
      if (value !== undefined && group.some((_, pair) => !judged.has(pair)))
        notes.push('entailment left some unjudged');
      return value?.verdicts.filter(({ supported }) => !supported).map(({ pair }) => group[pair]?.quote) ?? [];
    },
  });
  const dropped = new Set(refuted.flat());
  return insights.map((insight) => ({ ...insight, quotes: insight.quotes.filter((quote) => !dropped.has(quote)) }));
}

function isSamePlace(a: LocatedQuote, b: LocatedQuote): boolean {
  return a.charStart === b.charStart && a.charEnd === b.charEnd;
}

function isTelling(quote: LocatedQuote): boolean {
  const words = spokenWordCount(quote.text);
  return words >= minQuoteWords && words <= maxQuoteWords;
}

function pairText({ insight, quote }: { readonly insight: Insight; readonly quote: LocatedQuote }): string {
  return `Insight: ${insight.text}\n   Quote: ${quote.text}`;
}

function numbered(texts: readonly string[]): string {
  return texts.map((text, index) => `${index}. ${text}`).join('\n');
}

/** What fits into one question: at most so many, and, numbered, at most so many characters, but at least one. */
function batches<T>(
  items: readonly T[],
  limits: { readonly most: number; readonly chars: number },
  textOf: (item: T) => string,
): T[][] {
  const groups: { readonly items: T[]; chars: number }[] = [];
  for (const item of items) {
    const chars = textOf(item).length + numberChars;
    const group = groups.at(-1);
    if (group !== undefined && group.items.length < limits.most && group.chars + chars <= limits.chars) {
      group.items.push(item);
      group.chars += chars;
    } else {
      groups.push({ items: [item], chars });
    }
  }
  return groups.map((group) => group.items);
}
