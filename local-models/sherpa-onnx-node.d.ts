/** What we use of sherpa-onnx-node 1.13.8, which ships no types. Audio is mono, 32-bit floats from -1 to 1. */
declare module 'sherpa-onnx-node' {
  export interface SpeakerSegment {
    /** Seconds. */
    readonly start: number;
    readonly end: number;
    readonly speaker: number;
  }
  /** `numClusters` -1: as many as the threshold gives. */
  export interface ClusteringConfig {
    readonly numClusters: number;
    readonly threshold: number;
  }
  export class OfflineSpeakerDiarization {
    constructor(config: {
      readonly segmentation: { readonly pyannote: { readonly model: string }; readonly numThreads: number };
      readonly embedding: { readonly model: string; readonly numThreads: number };
      readonly clustering: ClusteringConfig;
      readonly minDurationOn: number;
      readonly minDurationOff: number;
    });
    readonly sampleRate: number;
    process(samples: Float32Array): SpeakerSegment[];
    setConfig(config: { readonly clustering: ClusteringConfig }): void;
  }
  export class OnlineStream {
    acceptWaveform(wave: { readonly samples: Float32Array; readonly sampleRate: number }): void;
    inputFinished(): void;
  }
  export class SpeakerEmbeddingExtractor {
    constructor(config: { readonly model: string; readonly numThreads: number });
    createStream(): OnlineStream;
    /** @param enableExternalBuffer false: the answer lives in memory of its own */
    compute(stream: OnlineStream, enableExternalBuffer: boolean): Float32Array;
  }
  export class OfflineStream {
    acceptWaveform(wave: { readonly samples: Float32Array; readonly sampleRate: number }): void;
  }
  export class OfflineRecognizer {
    constructor(config: {
      readonly featConfig: { readonly sampleRate: number; readonly featureDim: number };
      readonly modelConfig: {
        readonly whisper: {
          readonly encoder: string;
          readonly decoder: string;
          readonly language: string;
          readonly task: string;
          readonly tailPaddings: number;
          /** 1; `true` is not understood. */
          readonly enableSegmentTimestamps: 1;
        };
        readonly tokens: string;
        readonly numThreads: number;
        readonly provider: string;
      };
    });
    createStream(): OfflineStream;
    decode(stream: OfflineStream): void;
    getResult(stream: OfflineStream): {
      readonly text: string;
      /** Seconds, one a segment; absent when there is none. */
      readonly segment_timestamps?: readonly number[];
      readonly segment_durations?: readonly number[];
      readonly segment_texts?: readonly string[];
    };
  }
}
