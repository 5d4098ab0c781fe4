/** Who spoke when; `speaker` is a number without meaning but identity. Seconds. */
export interface SpeakerTurn {
  readonly startSec: number;
  readonly endSec: number;
  readonly speaker: number;
}

/** A pause of the same speaker up to this long, between two sentences, does not end the turn. */
const joinedGapSec = 1;

/** Turns in order of time, those of one speaker joined across short pauses, speakers numbered by their first turn. */
export function tidyTurns(turns: readonly SpeakerTurn[]): SpeakerTurn[] {
  const ordered = [...turns].sort((a, b) => a.startSec - b.startSec);
  const numbers = new Map<number, number>();
  const tidy: SpeakerTurn[] = [];
  for (const turn of ordered) {
    const speaker = numbers.get(turn.speaker) ?? numbers.size;
    numbers.set(turn.speaker, speaker);
    const last = tidy.at(-1);
    if (last?.speaker === speaker && turn.startSec - last.endSec <= joinedGapSec) {
      tidy[tidy.length - 1] = { ...last, endSec: Math.max(last.endSec, turn.endSec) };
    } else {
      tidy.push({ ...turn, speaker });
    }
  }
  return tidy;
}
