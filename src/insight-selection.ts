import type { InsightLine } from './structured-answers/insights.js';

/** An insight as a model proposed it, and in which chunk of the transcript it was found. */
export interface InsightCandidate extends InsightLine {
  readonly chunk: number;
  /** Set by the value gate: 0 filler, 1 minor, 2 useful, 3 core. */
  readonly tier?: number;
}

const defaultSameMin = 0.72;
const defaultMinTier = 2;

/** Without those that say what an earlier one says: their likeness (Dice coefficient of their words) is at least `sameMin`, default 0.72. */
export function withoutDuplicates(
  candidates: readonly InsightCandidate[],
  sameMin: number = defaultSameMin,
): InsightCandidate[] {
  const kept: { readonly candidate: InsightCandidate; readonly words: ReadonlySet<string> }[] = [];
  for (const candidate of candidates) {
    const words = wordsOf(candidate.text);
    if (kept.every((other) => likeness(other.words, words) < sameMin)) kept.push({ candidate, words });
  }
  return kept.map(({ candidate }) => candidate);
}

/**
 * What passes the value gate, the most valuable first, at most `cap`; `minTier` defaults to 2, useful. Unrated insights
 * pass. A gate that would let nothing through keeps what it rated best: an episode without a single insight helps nobody.
 */
export function passGate(
  candidates: readonly InsightCandidate[],
  { cap, minTier = defaultMinTier }: { readonly cap: number; readonly minTier?: number | undefined },
): InsightCandidate[] {
  const tierOf = (candidate: InsightCandidate): number => candidate.tier ?? minTier;
  const best = Math.max(...candidates.map(tierOf));
  const min = Math.min(minTier, best);
  return candidates
    .filter((candidate) => tierOf(candidate) >= min)
    .sort((a, b) => tierOf(b) - tierOf(a))
    .slice(0, cap);
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 1;
  return (2 * [...a].filter((word) => b.has(word)).length) / (a.size + b.size);
}
