import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { BlobRef } from '../../src/artifact.js';
import { blobRefSchema, provenanceSchema } from '../../src/artifact.js';
import { blobPath, stageDir } from '../../src/corpus-layout.js';
import { safeName } from '../../src/safe-name.js';
import { stageSchema } from '../../src/stage.js';
import type { ArtifactStore, StageRecord } from '../artifact-store.js';
import { writeFileAtomically } from './atomic-file.js';
import { sha256Of } from './digest.js';
import { asStoreError, StoreError, systemCode } from './store-error.js';

const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);

const stageRecordSchema: z.ZodType<StageRecord> = z.strictObject({
  stage: stageSchema,
  key: digestSchema,
  batchId: z.string(),
  blobs: z.record(z.string(), blobRefSchema),
  provenance: provenanceSchema,
});

/**
 * The artifact store of one corpus, as plain files below `<corpusDir>/.holdfast/`: blobs by digest, stage records by
 * key and batch. Safe for any number of processes at once, and after a kill at any moment.
 *
 * @throws StoreError from every method, when the directory cannot be written or a blob is missing or damaged
 */
export function createFileArtifactStore(corpusDir: string): ArtifactStore {
  const root = path.resolve(corpusDir);
  const read = (ref: BlobRef): Promise<Buffer> => readBlob(root, ref);

  return {
    corpusDir: root,
    put: (content) => putBlob(root, content),
    read,
    readJson: async (ref, schema) => parseBlob(ref, schema, await read(ref)),
    findStage: ({ key, batchId, acrossBatches }) =>
      acrossBatches ? findInAnyBatch(root, key, batchId) : findWhole(root, stageRecordFile(root, key, batchId), key),
    saveStage: (record) =>
      writeFileAtomically(stageRecordFile(root, record.key, record.batchId), JSON.stringify(record)),
  };
}

async function putBlob(root: string, content: string | Uint8Array): Promise<BlobRef> {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  const sha256 = sha256Of(bytes);
  const uri = blobPath(sha256);
  // What is there already is compared, not trusted: a blob damaged by the disk is written anew.
  const present = await readFile(path.join(root, uri)).catch(() => undefined);
  if (present === undefined || !present.equals(bytes)) await writeFileAtomically(path.join(root, uri), bytes);
  return { uri, sha256, bytes: bytes.length };
}

async function readBlob(root: string, ref: BlobRef): Promise<Buffer> {
  const content = await readFile(path.join(root, blobPath(ref.sha256))).catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw asStoreError(error, ref.uri, 'read');
    throw new StoreError(`Blob ${ref.uri} below ${root} is missing.`, 'MISSING', { cause: error });
  });
  if (sha256Of(content) !== ref.sha256) {
    throw new StoreError(`Blob ${ref.uri} below ${root} is damaged: its digest is not the one in its name.`, 'DAMAGED');
  }
  return content;
}

function parseBlob<T>(ref: BlobRef, schema: z.ZodType<T>, content: Buffer): T {
  const parsed = schema.safeParse(parseJson(content.toString('utf8')));
  if (parsed.success) return parsed.data;
  // Paths of the faults only: the values may be a transcript's words.
  const places = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`).join('; ');
  throw new StoreError(`Blob ${ref.uri} is not of the expected form: ${places}.`, 'DAMAGED');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function stageRecordFile(root: string, key: string, batchId: string): string {
  return path.join(root, stageDir(key), `${safeName(batchId, sha256Of)}.json`);
}

/** This batch's own record first, then the newest of the others. */
async function findInAnyBatch(root: string, key: string, batchId: string): Promise<StageRecord | undefined> {
  const own = await findWhole(root, stageRecordFile(root, key, batchId), key);
  if (own !== undefined) return own;
  const directory = path.join(root, stageDir(key));
  const names = await readdir(directory).catch(() => []);
  const files = names.filter((name) => name.endsWith('.json')).map((name) => path.join(directory, name));
  const records = await Promise.all(files.map((file) => findWhole(root, file, key)));
  return records
    .filter((record) => record !== undefined)
    .sort((a, b) => b.provenance.createdAt.localeCompare(a.provenance.createdAt))[0];
}

/** The record in `file`, if it parses and every blob it names is there and undamaged; else the stage runs anew. */
async function findWhole(root: string, file: string, key: string): Promise<StageRecord | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
    throw asStoreError(error, file, 'read');
  });
  if (text === undefined) return undefined;
  const parsed = stageRecordSchema.safeParse(parseJson(text));
  if (!parsed.success || parsed.data.key !== key) return undefined;
  for (const ref of Object.values(parsed.data.blobs)) {
    const whole = await readBlob(root, ref).then(
      () => true,
      () => false,
    );
    if (!whole) return undefined;
  }
  return parsed.data;
}
