import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { audioCheckPath, audioIndexPath } from '../../src/corpus-layout.js';
import { writeFileAtomically } from '../store/atomic-file.js';

/** What looking at an audio file found out; kept, so that a retry or the next run need not decode it again. */
const audioCheckSchema = z.strictObject({
  sha256: z.string(),
  bytes: z.number().int().positive(),
  durationSec: z.number().positive(),
  format: z.string(),
});
export type AudioCheck = z.infer<typeof audioCheckSchema>;

/** What is known of the audio with this digest. */
export function readAudioCheck(corpusDir: string, sha256: string): Promise<AudioCheck | undefined> {
  return readCheck(path.join(corpusDir, audioCheckPath(sha256)));
}

export async function saveAudioCheck(corpusDir: string, check: AudioCheck): Promise<void> {
  await writeFileAtomically(path.join(corpusDir, audioCheckPath(check.sha256)), JSON.stringify(check));
}

/** The audio that an episode's document led to when it was fetched. */
export function readAudioIndex(corpusDir: string, documentSha256: string): Promise<AudioCheck | undefined> {
  return readCheck(path.join(corpusDir, audioIndexPath(documentSha256)));
}

export async function saveAudioIndex(corpusDir: string, documentSha256: string, check: AudioCheck): Promise<void> {
  await writeFileAtomically(path.join(corpusDir, audioIndexPath(documentSha256)), JSON.stringify(check));
}

/** Undefined when it is missing or damaged: then the audio is looked at anew. */
async function readCheck(file: string): Promise<AudioCheck | undefined> {
  try {
    return audioCheckSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}
