import { sampleRateHz } from './audio.js';

/** Whisper hears 30 s at once; sherpa-onnx adds some silence behind. */
const maxWindowSec = 28;
/** The last part of a window in which the quietest moment is looked for. */
const searchSec = 10;
const frameSec = 0.1;
/** A pause has this many quiet frames: shorter than any pause between sentences, longer than a stop consonant. */
const quietFrames = 3;

/**
 * Where, in samples, a window that begins at `start` ends: after 28 s at the latest, at the quietest moment of its last
 * 10 s; never at a speaker's turn (short pieces make Whisper stop early or loop: 45 % errors against 14 %).
 */
export function windowEnd(samples: Float32Array, start: number): number {
  const latest = start + maxWindowSec * sampleRateHz;
  if (latest >= samples.length) return samples.length;
  const frame = frameSec * sampleRateHz;
  const frames = searchSec / frameSec;
  const searchStart = latest - frames * frame;
  const energies = Array.from({ length: frames }, (_, index) => energy(samples, searchStart + index * frame, frame));
  return searchStart + (quietest(energies) + quietFrames / 2) * frame;
}

function energy(samples: Float32Array, from: number, length: number): number {
  let sum = 0;
  for (let index = from; index < from + length; index++) sum += (samples[index] ?? 0) ** 2;
  return sum;
}

/** Index of the first frame of the quietest run of `quietFrames` frames. */
function quietest(energies: readonly number[]): number {
  const runs = Array.from({ length: energies.length - quietFrames + 1 }, (_, index) =>
    energies.slice(index, index + quietFrames).reduce((sum, value) => sum + value, 0),
  );
  return runs.indexOf(Math.min(...runs));
}
