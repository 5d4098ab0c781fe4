import type { z } from 'zod';
import type { BlobRef, Provenance } from '../src/artifact.js';
import type { Stage } from '../src/stage.js';

/** What a finished stage left behind; found again by `key`. */
export interface StageRecord {
  readonly stage: Stage;
  /** sha256 over stage, input digests, option, method version and prompt version. */
  readonly key: string;
  readonly batchId: string;
  /** By name: the stage's own documents (`transcript`, `diarization`, ...) and the files to publish. */
  readonly blobs: Readonly<Record<string, BlobRef>>;
  readonly provenance: Provenance;
}

/** Content-addressed files below `<corpus-dir>/.holdfast/`. Every write is temporary file, fsync, rename. */
export interface ArtifactStore {
  readonly corpusDir: string;
  /** Stores bytes under their digest; the same bytes twice are one file. Throws `StoreUnavailable` (disk full, not writable). */
  put(content: string | Uint8Array): Promise<BlobRef>;
  /** Reads and checks the digest. Throws `StoreUnavailable` when absent or damaged. */
  read(ref: BlobRef): Promise<Buffer>;
  readJson<T>(ref: BlobRef, schema: z.ZodType<T>): Promise<T>;
  /** A record of this batch, or of any batch where `acrossBatches`; only if all its blobs are there and whole. */
  findStage(query: { key: string; batchId: string; acrossBatches: boolean }): Promise<StageRecord | undefined>;
  saveStage(record: StageRecord): Promise<void>;
}
