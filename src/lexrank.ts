/** A sentence as a bag of its content words' stems. */
export type Terms = readonly string[];

type Vector = ReadonlyMap<string, number>;

/** Cosine from which on two sentences count as alike, damping, and rounds, as in LexRank (Erkan and Radev 2004). */
const likenessMin = 0.1;
const damping = 0.85;
const rounds = 30;

/**
 * LexRank: how central each sentence is among all, by the likeness of their words (TF-IDF cosine) and power iteration.
 * Scores add up to 1; a sentence without words scores lowest. Deterministic.
 */
export function lexRank(sentences: readonly Terms[]): number[] {
  const { length } = sentences;
  if (length === 0) return [];
  const neighbours = neighboursOf(tfIdfVectors(sentences));
  let scores = sentences.map(() => 1 / length);
  for (let round = 0; round < rounds; round += 1) {
    const next = sentences.map(() => (1 - damping) / length);
    for (const [from, list] of neighbours.entries()) {
      const total = list.reduce((sum, { likeness }) => sum + likeness, 0);
      for (const { to, likeness } of list) {
        next[to] = (next[to] ?? 0) + (damping * (scores[from] ?? 0) * likeness) / total;
      }
    }
    scores = next;
  }
  return scores;
}

/** Share of the shorter sentence's words that the other has too, 0..1. */
export function wordOverlap(a: Terms, b: Terms): number {
  const [few, many] = [new Set(a), new Set(b)].sort((x, y) => x.size - y.size);
  if (few === undefined || many === undefined || few.size === 0) return 0;
  return [...few].filter((term) => many.has(term)).length / few.size;
}

interface Neighbour {
  readonly to: number;
  readonly likeness: number;
}

function neighboursOf(vectors: readonly Vector[]): Neighbour[][] {
  const postings = new Map<string, Map<number, number>>();
  for (const [index, vector] of vectors.entries()) {
    for (const [term, weight] of vector) {
      const posting = postings.get(term) ?? new Map<number, number>();
      postings.set(term, posting.set(index, weight));
    }
  }
  return vectors.map((vector, from) => {
    const likeness = new Map<number, number>();
    for (const [term, weight] of vector) {
      for (const [to, other] of postings.get(term) ?? []) {
        if (to !== from) likeness.set(to, (likeness.get(to) ?? 0) + weight * other);
      }
    }
    return [...likeness].filter(([, value]) => value >= likenessMin).map(([to, value]) => ({ to, likeness: value }));
  });
}

/** Unit vectors, so that their products are cosines. */
function tfIdfVectors(sentences: readonly Terms[]): Vector[] {
  const documentCount = new Map<string, number>();
  for (const terms of sentences) {
    for (const term of new Set(terms)) documentCount.set(term, (documentCount.get(term) ?? 0) + 1);
  }
  return sentences.map((terms) => {
    const weights = new Map<string, number>();
    for (const term of terms) {
      const idf = Math.log(1 + sentences.length / (documentCount.get(term) ?? 1));
      weights.set(term, (weights.get(term) ?? 0) + idf);
    }
    const norm = Math.hypot(...weights.values());
    return new Map([...weights].map(([term, weight]) => [term, weight / norm]));
  });
}
