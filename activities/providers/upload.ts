import { constants, openAsBlob } from 'node:fs';
import { access } from 'node:fs/promises';
import { FormData } from 'undici';
import type { AudioRef } from '../../src/artifact.js';
import { ownFailure } from './call-failure.js';
import { codeOf } from './error-code.js';
import type { Service } from './provider.js';

/** A file to send: from disk, read as it is sent, or made in memory. */
export interface AudioFile {
  readonly blob: Blob;
  /** Told by the file's end to services that go by it; never the episode's own name. */
  readonly fileName: string;
}

const mediaTypes: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  m4a: 'audio/mp4',
  mp4: 'audio/mp4',
  webm: 'audio/webm',
};

/** Media type of a format as `AudioRef` names it. */
export function mediaTypeOf(format: string): string {
  return mediaTypes[format] ?? 'application/octet-stream';
}

/** Opens the audio for upload without reading it: 800 MB cost no more memory than one buffer. */
export async function openAudio(audio: AudioRef, service: Service): Promise<AudioFile> {
  // The vendors know Opus by its container's name.
  const extension = audio.format === 'opus' ? 'ogg' : audio.format;
  try {
    await access(audio.path, constants.R_OK);
    const blob = await openAsBlob(audio.path, { type: mediaTypeOf(audio.format) });
    return { blob, fileName: `audio.${extension}` };
  } catch (error) {
    throw unreadable(error, service);
  }
}

/** The failure for an audio file that is not there any more. */
export function unreadable(error: unknown, service: Service): Error {
  const code = codeOf(error) ?? 'unreadable';
  return ownFailure('ContentRejected', service, {
    code,
    summary: `not called: the audio file cannot be read (${code})`,
  });
}

/** A multipart form with the audio in `file` and these fields; a list is sent as a repeated field. */
export function audioForm(
  { blob, fileName }: AudioFile,
  fields: Readonly<Record<string, string | readonly string[] | undefined>>,
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of typeof value === 'string' ? [value] : (value ?? [])) form.append(name, item);
  }
  form.append('file', blob, fileName);
  return form;
}

/** Room for the form's other parts within a limit on the whole request. */
const formBytes = 4096;

/**
 * Refuses what the service would refuse, before the upload: a 413 may never be seen, as the service hangs up while we
 * send. Limits are those of the tier; `known` are those of the vendor.
 */
export function checkLimits(
  audio: AudioRef,
  service: Service,
  known: { readonly maxBytes?: number; readonly maxDurationSec?: number } = {},
): void {
  const { maxBytes, maxDurationSec } = { ...known, ...service.limits };
  if (maxBytes !== undefined && audio.bytes + formBytes > maxBytes) {
    const summary = `not called: the audio has ${audio.bytes} bytes, one request takes ${maxBytes}`;
    throw ownFailure('ContentRejected', service, { code: 'payload_too_large', summary });
  }
  if (maxDurationSec !== undefined && audio.durationSec > maxDurationSec) {
    const summary = `not called: the audio lasts ${Math.round(audio.durationSec)} s, one request takes ${maxDurationSec} s`;
    throw ownFailure('ContentRejected', service, { code: 'audio_too_long', summary });
  }
}
