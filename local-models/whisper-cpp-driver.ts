import { setTimeout as sleep } from 'node:timers/promises';
import type { SpeechDriver, SpeechDriverConfig, SpeechSegment } from './speech-driver.js';

const centisecondsPerSec = 100;
/** What is heard and not said: `[BLANK_AUDIO]`, `(music)`. Suppressing these tokens instead makes silence say "you". */
const soundMark = /^(\[[^\]]*\]|\([^)]*\))$/;
const lastSegmentsWithinMs = 2000;

/**
 * whisper.cpp through @napi-rs/whisper: the whole file in one call, with its own temperature fallback.
 * @throws Error when the platform has no build of it or the model cannot be loaded
 */
export async function createWhisperCppDriver(config: SpeechDriverConfig): Promise<SpeechDriver> {
  const { Whisper, WhisperFullParams, WhisperSamplingStrategy } = await import('@napi-rs/whisper');
  const whisper = new Whisper(config.modelPath, { useGpu: false });
  const parameters = new WhisperFullParams(WhisperSamplingStrategy.Greedy);
  parameters.nThreads = config.threads;
  parameters.printProgress = false;
  parameters.printTimestamps = false;
  let segments: SpeechSegment[] = [];
  parameters.onNewSegment = ({ text, start, end }) => {
    segments.push({ startSec: start / centisecondsPerSec, endSec: end / centisecondsPerSec, text: text.trim() });
  };
  return {
    transcribe: async (samples, options) => {
      segments = [];
      parameters.language = whisper.isMultilingual === 0 ? 'en' : (options.language ?? 'auto');
      const fullText = whisper.full(parameters, samples);
      await allDelivered(segments, fullText);
      return segments.filter(({ text }) => text !== '' && !soundMark.test(text));
    },
  };
}

/** The segments arrive through the event loop, after the call that made them has returned: wait for the last one. */
async function allDelivered(segments: readonly SpeechSegment[], fullText: string): Promise<void> {
  const withoutSpaces = (text: string): string => text.replace(/\s+/g, '');
  const expected = withoutSpaces(fullText);
  const deadlineMs = Date.now() + lastSegmentsWithinMs;
  while (withoutSpaces(segments.map(({ text }) => text).join('')) !== expected) {
    if (Date.now() > deadlineMs) throw new Error('whisper.cpp returned but did not deliver all its segments');
    await sleep(5);
  }
}
