/** A stretch of recognised speech; times in seconds. */
export interface SpeechSegment {
  readonly startSec: number;
  readonly endSec: number;
  readonly text: string;
}

export interface SpeechOptions {
  /** ISO 639-1; default: the only one of an English model, else detected. */
  readonly language?: string;
}

/** One speech recogniser; its calls block the thread they run on. */
export interface SpeechDriver {
  /** @param samples mono, 16 kHz */
  transcribe(samples: Float32Array, options: SpeechOptions): Promise<SpeechSegment[]>;
}

export interface SpeechDriverConfig {
  /** A ggml file (whisper.cpp), or a folder with the encoder, decoder and tokens that sherpa-onnx reads. */
  readonly modelPath: string;
  readonly threads: number;
}
