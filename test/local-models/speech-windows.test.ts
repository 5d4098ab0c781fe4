import { sampleRateHz } from '../../local-models/audio.js';
import { windowEnd } from '../../local-models/speech-windows.js';

/** A steady tone with pauses at the given seconds, each half a second long. */
function tone(lengthSec: number, pausesAtSec: readonly number[]): Float32Array {
  const isPause = (sec: number): boolean => pausesAtSec.some((at) => sec >= at && sec < at + 0.5);
  return Float32Array.from({ length: lengthSec * sampleRateHz }, (_, index) =>
    isPause(index / sampleRateHz) ? 0 : Math.sin(index / 7),
  );
}

describe('windowEnd', () => {
  it('takes all that fits into one window', () => {
    const samples = tone(20, [10]);
    expect(windowEnd(samples, 0)).toBe(samples.length);
  });

  it('cuts in the pause', () => {
    const end = windowEnd(tone(60, [5, 22]), 0) / sampleRateHz;
    expect(end).toBeGreaterThan(22);
    expect(end).toBeLessThan(22.5);
  });

  it('never makes a window longer than Whisper hears', () => {
    expect(windowEnd(tone(60, []), 0) / sampleRateHz).toBeLessThanOrEqual(28);
  });

  it('cuts the windows behind the first alike', () => {
    const end = windowEnd(tone(60, [22, 44]), 22 * sampleRateHz) / sampleRateHz;
    expect(end).toBeGreaterThan(44);
    expect(end).toBeLessThan(44.5);
  });
});
