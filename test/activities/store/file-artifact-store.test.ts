import { execFile, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { createFileArtifactStore } from '../../../activities/store/file-artifact-store.js';
import { blobPath } from '../../../src/corpus-layout.js';
import { sha256Of, stageKeyOf } from '../../../activities/store/digest.js';
import type { StageRecord } from '../../../activities/artifact-store.js';
import { mountSmallDisk } from '../../support/small-disk.js';
import { provenanceOf } from '../../support/provenance.js';
import { useTemporaryDirectory } from '../../support/temporary-directory.js';

const writer = path.join(__dirname, '..', '..', 'support', 'blob-writer', 'main.ts');
const register = ['--import', 'tsx'];
const key = stageKeyOf({ stage: 'transcribe', inputs: ['a'], optionId: 'o', model: 'm', methodVersion: '1' });

describe('createFileArtifactStore', () => {
  const corpus = useTemporaryDirectory();
  const blobs = (): string[] => filesBelow(path.join(corpus(), '.holdfast', 'blobs'));

  it('stores the same bytes once, under their digest', async () => {
    const store = createFileArtifactStore(corpus());

    const first = await store.put('hello');
    const second = await store.put(Buffer.from('hello'));

    expect(first).toEqual({ uri: blobPath(sha256Of('hello')), sha256: sha256Of('hello'), bytes: 5 });
    expect(second).toEqual(first);
    expect(blobs()).toHaveLength(1);
    expect(String(await store.read(first))).toBe('hello');
  });

  it('refuses a blob whose bytes are not those of its name, and heals it by storing it again', async () => {
    const store = createFileArtifactStore(corpus());
    const ref = await store.put('hello');
    await writeFile(path.join(corpus(), ref.uri), 'hellp');

    await expect(store.read(ref)).rejects.toMatchObject({ name: 'StoreError', code: 'DAMAGED' });
    await store.put('hello');

    expect(String(await store.read(ref))).toBe('hello');
  });

  it('says that a blob is missing', async () => {
    const store = createFileArtifactStore(corpus());
    const ref = await store.put('hello');
    await rm(path.join(corpus(), ref.uri));

    await expect(store.read(ref)).rejects.toMatchObject({ code: 'MISSING', name: 'StoreError' });
  });

  it('parses documents and names only the places of their faults', async () => {
    const store = createFileArtifactStore(corpus());
    const ref = await store.put(JSON.stringify({ text: 'secret words' }));

    await expect(store.readJson(ref, z.strictObject({ text: z.string() }))).resolves.toEqual({ text: 'secret words' });
    const refused: unknown = await store.readJson(ref, z.strictObject({ text: z.number() })).catch((e: unknown) => e);

    expect(String(refused)).toContain('text: invalid_type');
    expect(String(refused)).not.toContain('secret');
  });

  it('finds a stage of the same batch, and of another batch only where that is asked for', async () => {
    const store = createFileArtifactStore(corpus());
    const record = await recordOf(store, 'Batch/One');
    await store.saveStage(record);

    await expect(store.findStage({ key, batchId: 'Batch/One', acrossBatches: false })).resolves.toEqual(record);
    await expect(store.findStage({ key, batchId: 'batch/one', acrossBatches: false })).resolves.toBeUndefined();
    await expect(store.findStage({ key, batchId: 'other', acrossBatches: true })).resolves.toEqual(record);
  });

  it('takes the newest of other batches', async () => {
    const store = createFileArtifactStore(corpus());
    const old = await recordOf(store, 'b-old', '2026-01-01T00:00:00.000Z');
    const recent = await recordOf(store, 'a-recent', '2026-02-01T00:00:00.000Z');
    await store.saveStage(recent);
    await store.saveStage(old);

    await expect(store.findStage({ key, batchId: 'new', acrossBatches: true })).resolves.toEqual(recent);
  });

  it('does not find a stage of which a blob is missing or damaged, or whose record does not parse', async () => {
    const store = createFileArtifactStore(corpus());
    const query = { key, batchId: 'b', acrossBatches: false };
    const record = await recordOf(store, 'b');
    await store.saveStage(record);

    await writeFile(path.join(corpus(), record.blobs['transcript']?.uri ?? ''), 'x');
    await expect(store.findStage(query)).resolves.toBeUndefined();
    await store.put('{}');
    await expect(store.findStage(query)).resolves.toEqual(record);
    await writeFile(path.join(corpus(), '.holdfast', 'stages', key, 'b.json'), '{"stage":');
    await expect(store.findStage(query)).resolves.toBeUndefined();
  });

  it('leaves only whole blobs behind when it is killed at any moment', async () => {
    for (const afterBlobs of [1, 2, 5, 9]) {
      const child = spawn(process.execPath, [...register, writer, corpus(), '300000']);
      await new Promise<void>((resolve) => {
        let written = 0;
        child.stdout.on('data', (chunk: Buffer) => {
          written += chunk.toString().split('\n').length - 1;
          if (written >= afterBlobs) child.kill('SIGKILL');
        });
        child.on('close', () => {
          resolve();
        });
      });
    }

    const visible = blobs().filter((file) => !file.endsWith('.tmp'));
    expect(visible.length).toBeGreaterThan(0);
    expect(visible.filter((file) => sha256Of(readFileSync(file)) !== path.basename(file))).toEqual([]);
  });

  it('says that the disk is full and leaves nothing half-written', async () => {
    const { corpusDir, command, release } = smallDisk(corpus());
    try {
      const failed = await promisify(execFile)('sh', ['-c', command]).then(
        () => ({ stdout: 'never ended' }),
        (error: unknown) => z.object({ stdout: z.string() }).parse(error),
      );

      expect(failed.stdout).toMatch(/StoreError: Cannot write .*(disk is full|larger than).*Nothing was left/);
      const files = filesBelow(path.join(corpusDir, '.holdfast', 'blobs'));
      expect(files.filter((file) => sha256Of(readFileSync(file)) !== path.basename(file))).toEqual([]);
    } finally {
      release();
    }
  });

  it('says that the corpus directory is a file', async () => {
    const file = path.join(corpus(), 'file');
    await writeFile(file, '');

    await expect(createFileArtifactStore(file).put('x')).rejects.toThrow('a file, not a directory');
  });

  it('says that permission is denied', async () => {
    const directory = path.join(corpus(), 'closed');
    await mkdir(directory, { mode: 0o500 });
    const root = process.geteuid?.() === 0;
    if (root) process.seteuid?.(65_534); // root may write anywhere

    try {
      await expect(createFileArtifactStore(directory).put('x')).rejects.toMatchObject({
        name: 'StoreError',
        code: 'EACCES',
        message: expect.stringContaining('permission denied for this user') as string,
      });
    } finally {
      if (root) process.seteuid?.(0);
    }
  });
});

async function recordOf(
  store: ReturnType<typeof createFileArtifactStore>,
  batchId: string,
  createdAt = '2026-01-01T00:00:00.000Z',
): Promise<StageRecord> {
  const transcript = await store.put('{}');
  return { stage: 'transcribe', key, batchId, blobs: { transcript }, provenance: provenanceOf({ batchId, createdAt }) };
}

/** A corpus on a disk of 1 MB where this process may mount one, else under a limit of 64 kB a file. */
function smallDisk(directory: string): { corpusDir: string; command: string; release: () => void } {
  const corpusDir = path.join(directory, 'small');
  const release = mountSmallDisk(corpusDir);
  const words = [process.execPath, ...register, writer, corpusDir, '300000'];
  const command = words.map((word) => `'${word}'`).join(' ');
  if (release === undefined) return { corpusDir, command: `ulimit -f 128; ${command}`, release: () => undefined };
  return { corpusDir, command, release };
}

function filesBelow(directory: string): string[] {
  return execFileSync('find', [directory, '-type', 'f'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');
}
