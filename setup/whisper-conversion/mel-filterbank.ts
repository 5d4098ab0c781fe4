const sampleRateHz = 16_000;
const fftSize = 400;
export const fftBins = fftSize / 2 + 1;

/** Slaney's mel scale: linear below 1000 Hz, logarithmic above. */
const breakHz = 1000;
const melsPerHz = 3 / 200;
const breakMel = breakHz * melsPerHz;
const logStep = Math.log(6.4) / 27;

const hzToMel = (hz: number): number => (hz < breakHz ? hz * melsPerHz : breakMel + Math.log(hz / breakHz) / logStep);
const melToHz = (mel: number): number =>
  mel < breakMel ? mel / melsPerHz : breakHz * Math.exp(logStep * (mel - breakMel));

/**
 * The mel filterbank Whisper was trained with: `librosa.filters.mel(sr=16000, n_fft=400, n_mels=bands)`, triangles of
 * equal area. Row-major, one row of `fftBins` weights a band.
 */
export function melFilterbank(bands: number): Float32Array {
  const edges = Array.from({ length: bands + 2 }, (_, index) =>
    melToHz((hzToMel(sampleRateHz / 2) * index) / (bands + 1)),
  );
  const filters = new Float32Array(bands * fftBins);
  for (let band = 0; band < bands; band++) {
    const [low = 0, centre = 0, high = 0] = edges.slice(band, band + 3);
    for (let bin = 0; bin < fftBins; bin++) {
      const hz = (bin * sampleRateHz) / fftSize;
      const height = Math.min((hz - low) / (centre - low), (high - hz) / (high - centre));
      filters[band * fftBins + bin] = (Math.max(0, height) * 2) / (high - low);
    }
  }
  return filters;
}
