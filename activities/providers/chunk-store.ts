import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { transcriptSchema } from '../../src/transcript.js';
import { makeDirectory } from '../store/make-directory.js';
import type { TranscriptionAnswer } from './provider.js';

/**
 * Keeps the finished chunks of a transcription that is not finished, so that a retry sends only what is missing. They
 * are removed once the whole is there: a reprocess regenerates, it does not replay. Keys are safe as file names.
 */
export interface ChunkStore {
  get(key: string): Promise<TranscriptionAnswer | undefined>;
  put(key: string, answer: TranscriptionAnswer): Promise<void>;
  remove(key: string): Promise<void>;
}

/** For the life of the process. */
export function memoryChunkStore(): ChunkStore {
  const kept = new Map<string, TranscriptionAnswer>();
  return {
    get: (key) => Promise.resolve(kept.get(key)),
    put(key, answer) {
      kept.set(key, answer);
      return Promise.resolve();
    },
    remove(key) {
      kept.delete(key);
      return Promise.resolve();
    },
  };
}

/** A chunk that was left behind longer ago belongs to a batch that has given up. */
const keptMs = 24 * 60 * 60 * 1000;

const answerSchema = z.object({
  transcript: transcriptSchema,
  modelReported: z.string(),
  modelReportedBy: z.enum(['answer', 'models', 'builtin']),
  calls: z.number(),
});

/** In files of a folder: survives the worker. A file that is damaged or older than a day counts as absent. */
export function fileChunkStore(folder: string): ChunkStore {
  const fileOf = (key: string): string => path.join(folder, `${key}.json`);
  return {
    async get(key) {
      try {
        const { mtimeMs } = await stat(fileOf(key));
        if (Date.now() - mtimeMs > keptMs) return undefined;
        return answerSchema.parse(JSON.parse(await readFile(fileOf(key), 'utf8')));
      } catch {
        return undefined;
      }
    },
    async put(key, { transcript, modelReported, modelReportedBy, calls }) {
      await makeDirectory(folder);
      const temporary = `${fileOf(key)}.${randomUUID()}`;
      await writeFile(temporary, JSON.stringify({ transcript, modelReported, modelReportedBy, calls }));
      await rename(temporary, fileOf(key));
    },
    remove: (key) => rm(fileOf(key), { force: true }),
  };
}
