import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CallFailure } from '../../../activities/providers/call-failure.js';
import { providerClients, type HttpWireShape } from '../../../activities/providers/index.js';
import type { CallOptions, ChatRequest, ProviderClient, Service } from '../../../activities/providers/provider.js';
import type { AudioRef } from '../../../src/artifact.js';
import type { EndpointServer, EndpointOptions } from '../../support/stub/endpoint-server.js';
import type { ShapeName } from '../../support/stub/shapes/index.js';
import { startStub, type Stub } from '../../support/stub/stub.js';

/** The shape that plays the other side of each wire. */
export const shapeOf: Readonly<Record<HttpWireShape, ShapeName>> = {
  'openai-transcription': 'speaches',
  moss: 'moss',
  pyannote: 'pyannote',
  deepgram: 'deepgram',
  'openai-chat': 'vllm',
  'ollama-chat': 'ollama',
  gemini: 'gemini',
};
export const wires = Object.keys(shapeOf) as HttpWireShape[];

export const modelOf: Readonly<Record<HttpWireShape, string>> = {
  'openai-transcription': 'Systran/faster-whisper-large-v3',
  moss: 'OpenMOSS-Team/MOSS-Transcribe-Diarize',
  pyannote: 'pyannote/speaker-diarization-community-1',
  deepgram: 'nova-3-general',
  'openai-chat': 'Qwen/Qwen3.5-35B-A3B',
  'ollama-chat': 'qwen3.5:35b',
  gemini: 'gemini-2.5-flash-lite',
};

/** One scripted service, named `it`, and what is needed to call it. */
export interface Played {
  readonly stub: Stub;
  readonly endpoint: EndpointServer;
  readonly service: Service;
}

export async function play(wire: HttpWireShape, more: Partial<EndpointOptions> = {}): Promise<Played> {
  const settings = { shape: shapeOf[wire], model: modelOf[wire], ...more };
  const stub = await startStub({ endpoints: { it: settings } });
  const endpoint = stub.endpoint('it');
  return { stub, endpoint, service: { endpointId: 'it', wire, url: endpoint.url, model: settings.model } };
}

export function options(more: Partial<CallOptions> = {}): CallOptions {
  return { cancellation: new AbortController().signal, deadlineMs: 20_000, ...more };
}

/** A WAV file of 16-bit mono at 8 kHz; `seed` makes its bytes its own. */
export function wavFile(durationSec: number, seed = 0): AudioRef {
  const data = Buffer.alloc(Math.round(durationSec * 8000) * 2, seed);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(16_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  const bytes = Buffer.concat([head, data]);
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'holdfast-test-')), 'audio.wav');
  writeFileSync(file, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { path: file, sha256, bytes: bytes.length, durationSec, format: 'wav' };
}

export const chatRequest: ChatRequest = {
  system: 'Answer in JSON.',
  user: 'Welcome back to the show, I am Maria Torres. Today we talk about mountain trails.',
  temperature: 0.2,
  maxOutputTokens: 400,
  seed: 7,
  json: {
    name: 'summary',
    schema: {
      type: 'object',
      properties: { title: { type: 'string' }, bullets: { type: 'array', items: { type: 'string' }, minItems: 2 } },
      required: ['title', 'bullets'],
      additionalProperties: false,
    },
  },
};

const audio = wavFile(10);

/** The work call of a wire, whichever stage it serves. */
export async function work(service: Service, callOptions: CallOptions = options()): Promise<unknown> {
  const client = providerClients[service.wire as HttpWireShape];
  if (client.complete) return client.complete(chatRequest, service, callOptions);
  if (client.transcribe) return client.transcribe(audio, service, callOptions);
  return client.diarize?.(audio, service, callOptions);
}

/** The failure that a call ends in; fails the test if it ends otherwise. */
export async function failureOf(call: Promise<unknown>): Promise<CallFailure> {
  const outcome = await call.then(
    () => 'a success',
    (error: unknown) => error,
  );
  if (outcome instanceof CallFailure) return outcome;
  throw new Error(`Not a CallFailure: ${String(outcome)}`);
}

/** The client's method, which some wires do not have. */
export function transcribe(wire: HttpWireShape): NonNullable<ProviderClient['transcribe']> {
  return method(wire, 'transcribe');
}
export function diarize(wire: HttpWireShape): NonNullable<ProviderClient['diarize']> {
  return method(wire, 'diarize');
}
export function complete(wire: HttpWireShape): NonNullable<ProviderClient['complete']> {
  return method(wire, 'complete');
}

function method<Name extends 'transcribe' | 'diarize' | 'complete'>(
  wire: HttpWireShape,
  name: Name,
): NonNullable<ProviderClient[Name]> {
  const found = providerClients[wire][name];
  if (!found) throw new Error(`${wire} has no ${name}`);
  return found;
}
