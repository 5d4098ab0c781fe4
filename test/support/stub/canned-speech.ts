/** What a scripted speech service "hears" in a file: always the same for the same bytes. */
export interface Speech {
  readonly durationSec: number;
  readonly segments: readonly SpokenSegment[];
}

export interface SpokenSegment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** 0 or 1. */
  readonly speaker: number;
}

/** Normal speech; the length floor of the guards is half of 2.5. */
const wordsPerSecond = 2.5;

const sentences = [
  'Welcome back to the show, I am Maria Torres.',
  'Today we talk about mountain trails and the people who build them.',
  'Our guest is David Chen from the Alpine Trust.',
  'He has repaired paths in the northern valleys for twelve years.',
  'Water does far more damage than any boot or tyre.',
  'A good drain every thirty metres saves a trail for a decade.',
  'Volunteers often ask why we do not simply use gravel.',
  'Gravel moves downhill with the first heavy rain of autumn.',
  'Stone steps last longer but they cost four times as much.',
  'The city of Innsbruck paid for the first survey in March.',
  'We counted nine hundred visitors on a single Sunday.',
  'Most of them came by train, which surprised everybody.',
  'That number tells you where the next shelter has to stand.',
  'Riders and walkers can share a path if they see each other early.',
  'So we cut the branches back at every blind corner.',
  'Did anyone complain about the new speed limits?',
  'Only during the first week, then the letters stopped.',
  'People accept a rule once they understand the reason behind it.',
  'Sarah Novak wrote the handbook that most crews use now.',
  'It says to look at a slope in the rain before touching it.',
  'I learned that lesson after rebuilding the same bend twice.',
  'Money is short, but skill is shorter still.',
  'We train forty apprentices each summer and keep perhaps ten.',
  'Those ten will teach the next group, and that is the plan.',
  'The best tool is a level made from a clear plastic hose.',
  'You can buy one for less than the price of lunch.',
  'Next year the Alpine Trust opens a school near Bolzano.',
  'Listeners can visit the workshop on any Friday afternoon.',
  'Thank you for sharing all of this with us, David.',
  'It was a pleasure, and bring good shoes when you come.',
];

/** Sentences until the file is full at a normal rate of speech, two voices taking turns of two sentences. */
export function cannedSpeech(sha256: string, durationSec: number): Speech {
  const random = seeded(Number.parseInt(sha256.slice(0, 8), 16));
  const texts = [`This is recording ${sha256.slice(0, 6)}.`];
  let words = 4;
  while (words < durationSec * wordsPerSecond) {
    const sentence = sentences[Math.floor(random() * sentences.length)] ?? '';
    texts.push(sentence);
    words += wordCount(sentence);
  }
  let spoken = 0;
  const segments = texts.map((text, index) => {
    const start = (spoken / words) * durationSec;
    spoken += wordCount(text);
    return { start: round(start), end: round((spoken / words) * durationSec), text, speaker: (index >> 1) % 2 };
  });
  return { durationSec: round(durationSec), segments };
}

/** The words of a segment, evenly spread over it. */
export function spokenWords(segment: SpokenSegment): { word: string; start: number; end: number }[] {
  const words = segment.text.split(' ');
  const step = (segment.end - segment.start) / words.length;
  return words.map((word, index) => ({
    word,
    start: round(segment.start + index * step),
    end: round(segment.start + (index + 1) * step),
  }));
}

/** The same speech as a faulty service would return it (`mode.ts`); other modes leave it as it is. */
export function distortSpeech(speech: Speech, mode: string): Speech {
  const { segments, durationSec } = speech;
  switch (mode) {
    case 'empty':
    case 'zero-segments':
    case 'zero-speakers':
      return { durationSec, segments: [] };
    case 'half-coverage':
      return { durationSec, segments: segments.filter((segment) => segment.end <= durationSec * 0.4) };
    case 'repeat-loop':
      return {
        durationSec,
        segments: [
          { start: 0, end: durationSec, text: 'and then we went on '.repeat(Math.max(60, durationSec)), speaker: 0 },
        ],
      };
    case 'bad-times':
      return { durationSec, segments: segments.map((segment) => ({ ...segment, end: segment.start - 1 })) };
    case 'bad-turns':
      return {
        durationSec,
        segments: [
          ...segments,
          { start: durationSec / 2, end: durationSec / 4, text: 'backwards', speaker: 1 },
          { start: durationSec / 3, end: durationSec / 3, text: 'nothing', speaker: 1 },
          { start: 0, end: durationSec * 3, text: 'too long', speaker: 0 },
        ],
      };
    default:
      return speech;
  }
}

function wordCount(text: string): number {
  return text.split(' ').length;
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/** mulberry32: a small deterministic generator. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
