import fs from 'node:fs';
import path from 'node:path';
import { OfflineRecognizer } from 'sherpa-onnx-node';
import { sampleRateHz } from './audio.js';
import type { SpeechDriver, SpeechDriverConfig, SpeechSegment } from './speech-driver.js';
import { windowEnd } from './speech-windows.js';

const melBands = 80;
/** Frames of silence added behind a window, so that Whisper hears the sentence end. */
const tailPaddings = 500;
/** Speech left over behind the last whole segment of a window, from which on it is heard again with the next window. */
const restSec = 1;

/**
 * Whisper through sherpa-onnx, which has builds for every platform Node has. Greedy, without whisper.cpp's fallback, in
 * windows one after the other.
 * @throws Error when the folder holds no such model
 */
export function createSherpaDriver(config: SpeechDriverConfig): SpeechDriver {
  const recognizer = new OfflineRecognizer(recognizerConfig(config));
  return { transcribe: (samples) => Promise.resolve(transcribe(recognizer, samples)) };
}

function recognizerConfig({
  modelPath,
  threads,
}: SpeechDriverConfig): ConstructorParameters<typeof OfflineRecognizer>[0] {
  return {
    featConfig: { sampleRate: sampleRateHz, featureDim: melBands },
    modelConfig: {
      whisper: {
        encoder: fileIn(modelPath, /encoder.*\.onnx$/),
        decoder: fileIn(modelPath, /decoder.*\.onnx$/),
        language: 'en',
        task: 'transcribe',
        tailPaddings,
        enableSegmentTimestamps: 1,
      },
      tokens: fileIn(modelPath, /tokens\.txt$/),
      numThreads: threads,
      provider: 'cpu',
    },
  };
}

function transcribe(recognizer: OfflineRecognizer, samples: Float32Array): SpeechSegment[] {
  const segments: SpeechSegment[] = [];
  let start = 0;
  while (start < samples.length) {
    const end = windowEnd(samples, start);
    const heard = recognise(recognizer, samples.subarray(start, end), start / sampleRateHz);
    segments.push(...heard);
    start = nextStart({ start, end, total: samples.length }, heard.at(-1));
  }
  return segments;
}

/** Whisper gives whole segments only: what it left over at the end of a window begins the next. */
function nextStart(
  { start, end, total }: { readonly start: number; readonly end: number; readonly total: number },
  last: SpeechSegment | undefined,
): number {
  const heardUpTo = Math.round((last?.endSec ?? 0) * sampleRateHz);
  const rest = restSec * sampleRateHz;
  return end < total && heardUpTo > start + rest && heardUpTo < end - rest ? heardUpTo : end;
}

function recognise(recognizer: OfflineRecognizer, samples: Float32Array, startSec: number): SpeechSegment[] {
  const stream = recognizer.createStream();
  stream.acceptWaveform({ samples, sampleRate: sampleRateHz });
  recognizer.decode(stream);
  const {
    segment_timestamps: starts = [],
    segment_durations: lengths = [],
    segment_texts: texts = [],
  } = recognizer.getResult(stream);
  const endSec = startSec + samples.length / sampleRateHz;
  return texts
    .map((text, index) => {
      const from = startSec + (starts[index] ?? 0);
      return { startSec: from, endSec: Math.min(from + (lengths[index] ?? 0), endSec), text: text.trim() };
    })
    .filter(({ text }) => text !== '');
}

function fileIn(dir: string, pattern: RegExp): string {
  const name = fs.readdirSync(dir).find((entry) => pattern.test(entry));
  if (name === undefined) {
    throw new Error(`${dir} has no file like ${String(pattern)}; expected a Whisper model of sherpa-onnx`);
  }
  return path.join(dir, name);
}
