import fs from 'node:fs';
import path from 'node:path';
import { OfflineRecognizer } from 'sherpa-onnx-node';
import { sampleRateHz } from './audio.js';
import type { SpeechDriver, SpeechDriverConfig, SpeechSegment } from './speech-driver.js';
import { speechWindows, type Window } from './speech-windows.js';

const melBands = 80;
/** Frames of silence added behind a window, so that Whisper hears the sentence end. */
const tailPaddings = 500;

/**
 * Whisper through sherpa-onnx, which has builds for every platform Node has. Greedy, without whisper.cpp's fallback,
 * and one segment a window.
 * @throws Error when the folder holds no such model
 */
export function createSherpaDriver(config: SpeechDriverConfig): SpeechDriver {
  const file = (pattern: RegExp): string => fileIn(config.modelPath, pattern);
  const recognizer = new OfflineRecognizer({
    featConfig: { sampleRate: sampleRateHz, featureDim: melBands },
    modelConfig: {
      whisper: {
        encoder: file(/encoder.*\.onnx$/),
        decoder: file(/decoder.*\.onnx$/),
        language: 'en',
        task: 'transcribe',
        tailPaddings,
      },
      tokens: file(/tokens\.txt$/),
      numThreads: config.threads,
      provider: 'cpu',
    },
  });
  return {
    transcribe: (samples) =>
      Promise.resolve(
        speechWindows(samples)
          .map((window) => recognise(recognizer, window))
          .filter(({ text }) => text !== ''),
      ),
  };
}

function recognise(recognizer: OfflineRecognizer, { startSec, samples }: Window): SpeechSegment {
  const stream = recognizer.createStream();
  stream.acceptWaveform({ samples, sampleRate: sampleRateHz });
  recognizer.decode(stream);
  const endSec = startSec + samples.length / sampleRateHz;
  return { startSec, endSec, text: recognizer.getResult(stream).text.trim() };
}

function fileIn(dir: string, pattern: RegExp): string {
  const name = fs.readdirSync(dir).find((entry) => pattern.test(entry));
  if (name === undefined)
    throw new Error(`${dir} has no file like ${String(pattern)}; expected a Whisper model of sherpa-onnx`);
  return path.join(dir, name);
}
