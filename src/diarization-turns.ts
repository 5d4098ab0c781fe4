import type { Turn } from './transcript.js';

/** A turn as a service names it: any label, any order, possibly empty or outside of the audio. Times are seconds. */
export interface RawTurn {
  readonly startSec: number;
  readonly endSec: number;
  readonly speaker: string;
}

/** The label of the n-th voice, counted from 0: `SPEAKER_00`, `SPEAKER_01`, ... */
export function speakerLabel(index: number): string {
  return `SPEAKER_${String(index).padStart(2, '0')}`;
}

/**
 * Brings the turns of any service into one form: clipped to the audio, without empty ones, sorted by start, and with
 * labels renamed to `SPEAKER_00`, ... in the order in which the voices are first heard. Overlaps stay: people do talk
 * at the same time. Times that are not finite numbers are dropped. `durationSec` is the audio's; undefined: not clipped at its end.
 */
export function normaliseTurns(turns: readonly RawTurn[], durationSec = Number.POSITIVE_INFINITY): Turn[] {
  const clipped = turns
    .map((turn) => ({
      startSec: Math.max(0, turn.startSec),
      endSec: Math.min(turn.endSec, durationSec),
      speaker: turn.speaker,
    }))
    .filter((turn) => Number.isFinite(turn.startSec) && Number.isFinite(turn.endSec) && turn.endSec > turn.startSec)
    .sort((a, b) => byTime(a, b) || compareText(a.speaker, b.speaker));
  const order = new Map<string, number>();
  for (const { speaker } of clipped) if (!order.has(speaker)) order.set(speaker, order.size);
  const placeOf = (turn: RawTurn): number => order.get(turn.speaker) ?? 0;
  // Once more, by their new names: turns of the same time stand in the order of these.
  return clipped
    .sort((a, b) => byTime(a, b) || placeOf(a) - placeOf(b))
    .map((turn) => ({ ...turn, speaker: speakerLabel(placeOf(turn)) }));
}

function byTime(a: RawTurn, b: RawTurn): number {
  return a.startSec - b.startSec || a.endSec - b.endSec;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
