import type { SpeakerTurn } from './speaker-turns.js';

/** How a moment sounds: the embedding, of length one, of a short window around it. */
export interface Voice {
  readonly atSec: number;
  readonly embedding: readonly number[];
}

/** A change of speaker must be this much more similar, summed over the moments behind it, to be believed. */
const changePenalty = 0.2;
const rounds = 5;
/** A change this near to an end of a turn as first found is that end: those are finer than the windows. Seconds. */
const snapSec = 0.5;

/**
 * Gives every moment of the turns anew to the speaker it sounds most like. The first clustering hears pieces that may
 * hold two voices and so swallows short turns; with the voices of the speakers known, windows of 1.5 s tell them apart
 * (DER of p01_e04 13 % before, 3 % after). Of too many speakers those who speak longest stay; missing ones are sought
 * in the moments least like the others.
 * @param voices evenly spaced, in order
 */
export function regroupByVoice(
  turns: readonly SpeakerTurn[],
  voices: readonly Voice[],
  speakers: number,
): SpeakerTurn[] {
  const spoken = voices.filter(({ atSec }) => speakerAt(turns, atSec) !== undefined);
  if (spoken.length < speakers) return [...turns];
  let centroids = seed(turns, spoken, speakers);
  let labels: number[] = [];
  for (let round = 0; round < rounds; round++) {
    labels = smoothedLabels(spoken, centroids);
    centroids = centroids.map(
      (centroid, label) => meanVoice(spoken.filter((_, index) => labels[index] === label)) ?? centroid,
    );
  }
  return relabel(turns, spoken, labels);
}

function speakerAt(turns: readonly SpeakerTurn[], atSec: number): number | undefined {
  return turns.find(({ startSec, endSec }) => atSec >= startSec && atSec < endSec)?.speaker;
}

/** The mean voices of those who speak longest; for those still missing, the moment least like any. */
function seed(turns: readonly SpeakerTurn[], voices: readonly Voice[], speakers: number): (readonly number[])[] {
  const groups = new Map<number, Voice[]>();
  for (const voice of voices) {
    const speaker = speakerAt(turns, voice.atSec) ?? -1;
    const group = groups.get(speaker) ?? [];
    group.push(voice);
    groups.set(speaker, group);
  }
  const longest = [...groups.values()].sort((a, b) => b.length - a.length).slice(0, speakers);
  const centroids: (readonly number[])[] = longest.map(meanVoice).filter((mean) => mean !== undefined);
  while (centroids.length < speakers) {
    const nearest = voices.map(({ embedding }) => Math.max(...centroids.map((centroid) => dot(embedding, centroid))));
    centroids.push(voices[nearest.indexOf(Math.min(...nearest))]?.embedding ?? []);
  }
  return centroids;
}

function meanVoice(voices: readonly Voice[]): number[] | undefined {
  const [first] = voices;
  if (!first) return undefined;
  const sum = first.embedding.map((_, index) =>
    voices.reduce((total, { embedding }) => total + (embedding[index] ?? 0), 0),
  );
  return unit(sum);
}

/** The sequence of speakers of the greatest similarity, changes penalised (Viterbi). */
function smoothedLabels(voices: readonly Voice[], centroids: readonly (readonly number[])[]): number[] {
  let scores = centroids.map(() => 0);
  const cameFrom: number[][] = [];
  for (const { embedding } of voices) {
    const best = scores.indexOf(Math.max(...scores));
    const changed = (scores[best] ?? 0) - changePenalty;
    const previous = scores.map((score, label) => (score >= changed ? label : best));
    scores = centroids.map((centroid, label) => Math.max(scores[label] ?? 0, changed) + dot(embedding, centroid));
    cameFrom.push(previous);
  }
  let label = scores.indexOf(Math.max(...scores));
  const labels: number[] = [];
  for (const previous of cameFrom.reverse()) {
    labels.push(label);
    label = previous[label] ?? label;
  }
  return labels.reverse();
}

/** Each turn, cut where the speaker changes half-way between two moments. */
function relabel(turns: readonly SpeakerTurn[], voices: readonly Voice[], labels: readonly number[]): SpeakerTurn[] {
  const ends = turns.flatMap(({ startSec, endSec }) => [startSec, endSec]);
  const snapped = (sec: number): number => ends.find((end) => Math.abs(end - sec) <= snapSec) ?? sec;
  const stretches: SpeakerTurn[] = [];
  voices.forEach(({ atSec }, index) => {
    const speaker = labels[index] ?? 0;
    const last = stretches.at(-1);
    if (last?.speaker === speaker) return;
    const startSec = last ? snapped((atSec + (voices[index - 1]?.atSec ?? atSec)) / 2) : 0;
    if (last) stretches[stretches.length - 1] = { ...last, endSec: startSec };
    stretches.push({ startSec, endSec: Infinity, speaker });
  });
  return turns
    .flatMap((turn) => stretches.map((stretch) => overlap(turn, stretch)))
    .filter((part) => part !== undefined);
}

function overlap(turn: SpeakerTurn, stretch: SpeakerTurn): SpeakerTurn | undefined {
  const startSec = Math.max(turn.startSec, stretch.startSec);
  const endSec = Math.min(turn.endSec, stretch.endSec);
  return endSec > startSec ? { startSec, endSec, speaker: stretch.speaker } : undefined;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

/** The same direction, of length one. */
export function unit(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
