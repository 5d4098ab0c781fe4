import type { AudioRef } from '../../src/artifact.js';
import { CallFailure, ownFailure } from './call-failure.js';
import { withDeadline, type CallScope } from './call-scope.js';
import { memoryChunkStore, type ChunkStore } from './chunk-store.js';
import { chunkWindows, mergeChunks, type AudioWindow, type TranscribedWindow } from './merge-chunks.js';
import type { CallOptions, ProviderClient, Service, TranscriptionAnswer } from './provider.js';

export interface ChunkTools {
  /** Cuts a window out of a file and hands the cut to `use`; gone afterwards. The same window gives the same bytes. */
  cut<T>(
    audio: AudioRef,
    request: { readonly window: AudioWindow; readonly signal: AbortSignal },
    use: (chunk: AudioRef) => Promise<T>,
  ): Promise<T>;
  /** Default: in memory, for the life of the process. */
  readonly store?: ChunkStore;
}

type LimitsOf = (service: Service) => { readonly maxBytes?: number; readonly maxDurationSec?: number };

/**
 * Lets a client transcribe audio longer or larger than its service takes in one request: windows with 5 s overlap, sent
 * one after the other, each kept as soon as it is there, merged at the end. Speakers of different requests cannot be
 * told to be the same, so the merged answer has no diarization. Without `tools`: `ContentRejected`, by the client.
 */
export function chunkedTranscription(client: ProviderClient, limitsOf: LimitsOf, tools?: ChunkTools): ProviderClient {
  if (!client.transcribe || !tools) return client;
  const transcribe = client.transcribe.bind(client);
  const store = tools.store ?? memoryChunkStore();
  return {
    ...client,
    async transcribe(audio, service, options) {
      const windows = chunkWindows(audio, { ...limitsOf(service), ...service.limits });
      if (!windows) {
        const summary = 'not called: the audio is too long to be sent in 500 chunks';
        throw ownFailure('ContentRejected', service, { code: 'audio_too_long', summary });
      }
      if (windows.length === 1) return transcribe(audio, service, options);
      const send = { audio, service, options };
      const chunks = await withDeadline(options, async (scope) => {
        const done: TranscribedChunk[] = [];
        for (const window of windows) {
          const key = chunkKey(audio, service, window);
          const kept = await store.get(key);
          const answer = kept ?? (await sendChunk(tools, transcribe, { ...send, window, scope }));
          if (!kept) await store.put(key, { ...answer, calls: 0 });
          done.push({ window, transcript: answer.transcript, answer, key });
        }
        return done;
      });
      for (const { key } of chunks) await store.remove(key);
      return merged(chunks, audio.durationSec);
    },
  };
}

type TranscribedChunk = TranscribedWindow & { readonly answer: TranscriptionAnswer; readonly key: string };

interface ChunkToSend {
  readonly audio: AudioRef;
  readonly service: Service;
  readonly window: AudioWindow;
  readonly options: CallOptions;
  readonly scope: CallScope;
}

async function sendChunk(
  tools: ChunkTools,
  transcribe: NonNullable<ProviderClient['transcribe']>,
  { audio, service, window, options, scope }: ChunkToSend,
): Promise<TranscriptionAnswer> {
  try {
    return await tools.cut(audio, { window, signal: scope.signal }, (chunk) =>
      transcribe(chunk, service, { ...options, deadlineMs: scope.remainingMs }),
    );
  } catch (error) {
    if (error instanceof CallFailure) throw error;
    options.cancellation.throwIfAborted();
    const summary = scope.deadlinePassed
      ? 'no complete answer by its deadline: the audio was still being cut'
      : 'not called: the audio could not be cut into chunks';
    if (!scope.deadlinePassed) throw ownFailure('ContentRejected', service, { code: 'not_cut', summary });
    throw new CallFailure({ type: 'EndpointUnavailable', hardTimeout: true, summary }, service);
  }
}

function chunkKey(audio: AudioRef, service: Service, { startSec, endSec }: AudioWindow): string {
  const window = `${startSec.toFixed(3)}-${endSec.toFixed(3)}`;
  return [audio.sha256, window, service.endpointId, service.model].join('_').replace(/[^\w.-]/g, '-');
}

function merged(chunks: readonly TranscribedChunk[], durationSec: number): TranscriptionAnswer {
  const last = chunks.at(-1)?.answer;
  if (!last) throw new Error('No chunk was transcribed.');
  const { modelReported, modelReportedBy, requestId } = last;
  return {
    transcript: mergeChunks(chunks, durationSec),
    modelReported,
    modelReportedBy,
    ...(requestId !== undefined && { requestId }),
    calls: chunks.reduce((sum, { answer }) => sum + answer.calls, 0),
  };
}
