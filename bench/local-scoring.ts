/** Word errors and words of the script, to be pooled over files. */
export interface WordErrors {
  readonly errors: number;
  readonly words: number;
}

/** Lower case, apostrophes dropped, everything else but letters and digits a space: the rule of shared/data/wer.mjs. */
function normalizedWords(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replace(/[’']/g, '')
    .replace(/[^a-z0-9 ]+/g, ' ');
  return plain.split(/\s+/).filter(Boolean);
}

/** The spoken words of a script: headings, `[mm:ss]` marks and the speakers' names at the line's start left out. */
export function scriptText(script: string): string {
  const isSpoken = (line: string): boolean => !/^\s*#|^\s*\[\d+:\d+\]\s*$/.test(line);
  const withoutName = (line: string): string => line.replace(/^[A-Z][\w .'-]{0,30}:\s/, '');
  return script.split('\n').filter(isSpoken).map(withoutName).join(' ');
}

/** Least substitutions, insertions and deletions that turn the script's words into the transcript's. */
export function wordErrors(script: string, transcript: string): WordErrors {
  const reference = normalizedWords(scriptText(script));
  const hypothesis = normalizedWords(transcript);
  let row = Array.from({ length: hypothesis.length + 1 }, (_, column) => column);
  reference.forEach((word, line) => {
    const next = [line + 1];
    hypothesis.forEach((other, column) => {
      const substituted = at(row, column) + (word === other ? 0 : 1);
      next.push(Math.min(at(row, column + 1) + 1, at(next, column) + 1, substituted));
    });
    row = next;
  });
  return { errors: at(row, hypothesis.length), words: reference.length };
}

/** Errors of all files over words of all files. */
export function wordErrorRate(files: readonly WordErrors[]): number {
  const sum = (pick: (file: WordErrors) => number): number => files.reduce((total, file) => total + pick(file), 0);
  return sum(({ errors }) => errors) / sum(({ words }) => words);
}

/** Who spoke when; seconds. */
export interface LabelledTurn {
  readonly startSec: number;
  readonly endSec: number;
  readonly speaker: string;
}

export function parseRttm(rttm: string): LabelledTurn[] {
  const fields = rttm.split('\n').map((line) => line.trim().split(/\s+/));
  return fields
    .filter(([kind]) => kind === 'SPEAKER')
    .map(([, , , start, length, , , speaker = '']) => ({
      startSec: Number(start),
      endSec: Number(start) + Number(length),
      speaker,
    }));
}

const framesPerSec = 100;

/**
 * Diarization error rate by the rule of shared/data/der.py: frames of 10 ms, no collar, one speaker a frame, the best
 * one-to-one mapping of speakers; missed, false and confused speech over all speech of the reference.
 */
export function diarizationErrorRate(reference: readonly LabelledTurn[], hypothesis: readonly LabelledTurn[]): number {
  const expected = toFrames(reference);
  const found = toFrames(hypothesis);
  const together = new Map<string, Map<string, number>>();
  let [speech, missed, falseAlarm, both] = [0, 0, 0, 0];
  for (let frame = 0; frame < Math.max(expected.length, found.length); frame++) {
    const [speaker, label] = [expected[frame], found[frame]];
    if (speaker !== undefined) speech++;
    if (speaker !== undefined && label === undefined) missed++;
    if (speaker === undefined && label !== undefined) falseAlarm++;
    if (speaker === undefined || label === undefined) continue;
    both++;
    const row = together.get(speaker) ?? new Map<string, number>();
    together.set(speaker, row.set(label, (row.get(label) ?? 0) + 1));
  }
  const confused = both - bestMapping([...together.values()], new Set());
  return (missed + falseAlarm + confused) / speech;
}

function toFrames(turns: readonly LabelledTurn[]): (string | undefined)[] {
  const frames: (string | undefined)[] = [];
  for (const { startSec, endSec, speaker } of turns) {
    const end = Math.trunc(endSec * framesPerSec);
    for (let frame = Math.trunc(startSec * framesPerSec); frame < end; frame++) frames[frame] = speaker;
  }
  return frames;
}

/** Most frames that agree when each speaker takes one label of its own, or none. */
function bestMapping(rows: readonly ReadonlyMap<string, number>[], taken: ReadonlySet<string>): number {
  const [row, ...rest] = rows;
  if (!row) return 0;
  const free = [...row].filter(([label]) => !taken.has(label));
  const choices = free.map(([label, frames]) => frames + bestMapping(rest, new Set([...taken, label])));
  return Math.max(bestMapping(rest, taken), ...choices);
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? 0;
}
