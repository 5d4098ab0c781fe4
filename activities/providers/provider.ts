import type { AudioRef } from '../../src/artifact.js';
import type { ProbeTarget } from '../../src/endpoint.js';
import type { Diarization, Transcript } from '../../src/transcript.js';

/** The service a client talks to: a tier of a plan, or an endpoint's probe target. */
export interface Service extends ProbeTarget {
  readonly endpointId: string;
  readonly limits?: { readonly maxBytes?: number; readonly maxDurationSec?: number; readonly contextTokens?: number };
}

export interface CallOptions {
  readonly apiKey?: string;
  /** Cancellation by Temporal. Ends the HTTP call and is passed on as it is. */
  readonly cancellation: AbortSignal;
  /** One absolute deadline over connect, upload, headers and body, from now. Fires as `EndpointUnavailable`, `hardTimeout`. */
  readonly deadlineMs: number;
}

/** What every answer says of itself. */
export interface AnswerSource {
  /** The model as the server names it, in the answer or its list of models. */
  readonly modelReported: string;
  readonly modelReportedBy: 'answer' | 'models' | 'builtin';
  readonly requestId?: string;
  /** Requests really sent (chunks count each). */
  readonly calls: number;
}

export interface TranscriptionAnswer extends AnswerSource {
  readonly transcript: Transcript;
  /** Where one call serves both stages (MOSS, Deepgram): the speakers of the same answer. */
  readonly diarization?: Diarization;
}

export interface DiarizationAnswer extends AnswerSource {
  readonly diarization: Diarization;
}

export interface ChatRequest {
  readonly system: string;
  readonly user: string;
  readonly temperature: number;
  readonly maxOutputTokens: number;
  readonly seed?: number;
  /** JSON wanted: asked for the way the server supports it, and verified afterwards by the caller. */
  readonly json?: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> };
}

export interface ChatAnswer extends AnswerSource {
  readonly text: string;
  readonly finishReason: 'stop' | 'length' | 'content-filter' | 'other';
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

/** `down` only when refused or unreachable; slow or odd is `busy` (three of the servers block while they infer). */
export type Health = 'ready' | 'busy' | 'down';

export interface SpeakerHints {
  readonly exact?: number;
  readonly min?: number;
  readonly max?: number;
}

/**
 * One client a wire shape. Every method throws `CallFailure` (classified beside the call) or passes cancellation on;
 * none retries. A method the shape has no use for is absent.
 */
export interface ProviderClient {
  /**
   * True for services that answer no health check while they infer: there `ready` proves that nothing is being
   * computed. Elsewhere nothing does, and what may still be computed is waited for by the clock (`drainSec`).
   */
  readonly healthProvesIdle?: boolean;
  transcribe?(audio: AudioRef, service: Service, options: CallOptions): Promise<TranscriptionAnswer>;
  diarize?(
    audio: AudioRef,
    service: Service & { readonly speakers?: SpeakerHints },
    options: CallOptions,
  ): Promise<DiarizationAnswer>;
  complete?(request: ChatRequest, service: Service, options: CallOptions): Promise<ChatAnswer>;
  /** Cheap liveness; never throws but for cancellation. */
  health(service: Service, options: CallOptions): Promise<Health>;
  /** Exact ids the server says it serves; undefined where it has no such list. Throws `CallFailure`. */
  servedModels(service: Service, options: CallOptions): Promise<readonly string[] | undefined>;
  /** One tiny real inference. Throws `CallFailure` when it did not work. */
  probe(service: Service, options: CallOptions): Promise<void>;
}
