import type { Segment, Transcript, Turn, Word } from './transcript.js';

/** Overlaps closer than this, in seconds, are equal; shorter ones are none. */
const overlapEpsSec = 1e-6;

interface Span {
  readonly startSec: number;
  readonly endSec: number;
}

/**
 * Gives every segment the speaker with the largest overlap. Ties and gaps go to the previous speaker; before anybody
 * has spoken, a tie goes to the lowest label and a gap to the nearest turn. A segment with word times is split where
 * the speaker changes. No text is lost: the pieces of a split segment are cut from its own text. Without turns the
 * transcript comes back without speakers.
 */
export function assignSpeakers(transcript: Transcript, turns: readonly Turn[]): Transcript {
  const segments: Segment[] = [];
  let previous: string | undefined;
  for (const segment of transcript.segments) {
    for (const piece of splitAtSpeakerChange(segment, turns, previous)) {
      segments.push(piece);
      previous = piece.speaker ?? previous;
    }
  }
  return { ...transcript, segments };
}

function splitAtSpeakerChange(segment: Segment, turns: readonly Turn[], previous: string | undefined): Segment[] {
  const whole = withSpeaker(segment, speakerOf(segment, turns, previous));
  if (segment.words === undefined || segment.words.length < 2) return [whole];
  const runs = runsOfOneSpeaker(segment.words, turns, previous);
  if (runs.length < 2) return [runs[0] === undefined ? whole : withSpeaker(segment, runs[0].speaker)];
  const cuts = cutOffsets(segment.text, runs);
  return cuts === undefined ? [whole] : runs.map((run, index) => piece(segment, run, { index, cuts, runs }));
}

interface Run {
  readonly speaker: string | undefined;
  readonly words: Word[];
}

function runsOfOneSpeaker(words: readonly Word[], turns: readonly Turn[], previous: string | undefined): Run[] {
  const runs: Run[] = [];
  let last = previous;
  for (const word of words) {
    const speaker = speakerOf(word, turns, last);
    const run = runs.at(-1);
    if (run !== undefined && run.speaker === speaker) run.words.push(word);
    else runs.push({ speaker, words: [word] });
    last = speaker;
  }
  return runs;
}

/** Where in `text` each run starts; undefined when the words are not those of the text, so that it cannot be cut safely. */
function cutOffsets(text: string, runs: readonly Run[]): number[] | undefined {
  const cuts: number[] = [];
  let cursor = 0;
  for (const run of runs) {
    for (const [index, word] of run.words.entries()) {
      const wanted = word.text.trim();
      const at = text.indexOf(wanted, cursor);
      if (at < 0 || /[^\s\p{P}\p{S}]/u.test(text.slice(cursor, at))) return undefined;
      if (index === 0) cuts.push(cuts.length === 0 ? 0 : at);
      cursor = at + wanted.length;
    }
  }
  return cuts;
}

function piece(
  segment: Segment,
  run: Run,
  place: { readonly index: number; readonly cuts: readonly number[]; readonly runs: readonly Run[] },
): Segment {
  const first = place.index === 0;
  const last = place.index === place.runs.length - 1;
  const within = (sec: number): number => Math.min(Math.max(sec, segment.startSec), segment.endSec);
  const startSec = first ? segment.startSec : within(run.words[0]?.startSec ?? segment.startSec);
  const endSec = last ? segment.endSec : within(run.words.at(-1)?.endSec ?? segment.endSec);
  const text = segment.text.slice(place.cuts[place.index], place.cuts[place.index + 1]);
  const cut: Segment = { startSec, endSec: Math.max(startSec, endSec), text: first ? text : text.trimStart() };
  return withSpeaker({ ...cut, text: last ? cut.text : cut.text.trimEnd(), words: run.words }, run.speaker);
}

function withSpeaker(segment: Segment, speaker: string | undefined): Segment {
  const { startSec, endSec, text, words } = segment;
  return {
    startSec,
    endSec,
    text,
    ...(speaker === undefined ? {} : { speaker }),
    ...(words === undefined ? {} : { words }),
  };
}

function speakerOf(span: Span, turns: readonly Turn[], previous: string | undefined): string | undefined {
  const overlaps = new Map<string, number>();
  for (const turn of turns) {
    const overlapSec = Math.min(span.endSec, turn.endSec) - Math.max(span.startSec, turn.startSec);
    if (overlapSec > overlapEpsSec) overlaps.set(turn.speaker, (overlaps.get(turn.speaker) ?? 0) + overlapSec);
  }
  if (overlaps.size === 0) return previous ?? nearestSpeaker(span, turns);
  const longest = Math.max(...overlaps.values());
  const tied = [...overlaps].filter(([, sec]) => longest - sec <= overlapEpsSec).map(([speaker]) => speaker);
  return previous !== undefined && tied.includes(previous) ? previous : tied.sort()[0];
}

function nearestSpeaker(span: Span, turns: readonly Turn[]): string | undefined {
  let nearest: { readonly speaker: string; readonly distanceSec: number } | undefined;
  for (const turn of turns) {
    const distanceSec = Math.max(turn.startSec - span.endSec, span.startSec - turn.endSec, 0);
    if (nearest === undefined || distanceSec < nearest.distanceSec) nearest = { speaker: turn.speaker, distanceSec };
  }
  return nearest?.speaker;
}
