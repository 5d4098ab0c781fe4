import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Episode } from '../../src/episode.js';
import { speakerLabel } from '../../src/diarization-turns.js';
import type { Segment, Transcript } from '../../src/transcript.js';

const transcriptsDir = path.join(__dirname, '..', '..', '..', 'shared', 'data', 'transcripts');
const charsPerSec = 15;

/** A transcript from lines `Name: words`, the voices labelled in order, at an even speed. */
export function spoken(lines: readonly string[]): Transcript {
  const voices: string[] = [];
  let atSec = 0;
  const segments = lines.map((line): Segment => {
    const [, name = '', text = ''] = /^([^:]+): (.*)$/.exec(line) ?? [];
    if (!voices.includes(name)) voices.push(name);
    const startSec = atSec;
    atSec += text.length / charsPerSec;
    return { startSec, endSec: atSec, text, speaker: speakerLabel(voices.indexOf(name)) };
  });
  return { durationSec: atSec, segments };
}

/** The script of a shared fixture as a transcript; undefined where `../shared/data` is not there. */
export function sharedTranscript(id: string): Transcript | undefined {
  const file = path.join(transcriptsDir, `${id}.txt`);
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  return spoken(lines.filter((line) => /^[A-Z][\w ]*: /.test(line) && !/^(?:Host|Guest): /.test(line)));
}

export function episodeOf(fields: Partial<Episode> = {}): Episode {
  return {
    episodeId: 'e02',
    feedId: 'singletrack',
    feedTitle: 'Singletrack Sessions',
    title: 'Enduro Skills',
    publishedAt: '2025-09-08T07:00:00Z',
    people: [],
    ...fields,
  };
}

/** Two voices, an advert and a repeated claim: enough for every text stage. */
export const talk = spoken([
  "Maya: Welcome back to Singletrack Sessions. I'm joined by Sophie Lorenz, enduro racer and coach.",
  'Sophie: Thanks, Maya. Great to be back.',
  "Maya: Today's episode is sponsored by Linear. Linear is the issue tracker built for speed.",
  'Maya: Where do soil erosion and enduro racing intersect?',
  'Sophie: Speed comes from braking earlier and smoother, not from taking bigger risks.',
  'Sophie: Tire pressure and casing choice often matter more than a minor suspension tweak.',
  'Maya: We saw riders at the Cascadia Alliance change their tire pressure before every race day.',
  'Sophie: The Cascadia Alliance taught us that braking earlier beats bigger risks on race day.',
  "Maya: That's it for today. See you next time.",
]);
