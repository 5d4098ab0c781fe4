import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectory } from './make-directory.js';
import { asStoreError } from './store-error.js';

/** Ends the name of a file that is being written; readers of directories pass over it. */
export const temporarySuffix = '.tmp';

/**
 * Writes `content` so that `file` is, at any moment and after any crash, either what it was or all of `content`:
 * temporary file in the same directory, fsync, rename, fsync of the directory. Makes missing directories.
 *
 * @throws StoreError when the disk is full, read-only or not ours to write
 */
export async function writeFileAtomically(file: string, content: string | Uint8Array): Promise<void> {
  await writeAtomically(file, async (temporary) => {
    const handle = await open(temporary, 'wx');
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}

/**
 * Like `writeFileAtomically` for content that does not fit in memory: `write` makes and fills the temporary file and
 * syncs it; it is then renamed to `file`, or removed when `write` throws.
 */
export async function writeAtomically(file: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${file}.${randomUUID()}${temporarySuffix}`;
  try {
    await makeDirectory(path.dirname(file));
    await write(temporary);
    await moveInto(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw asStoreError(error, file);
  }
}

/** Renames a synced file to its final name and makes the name durable; both must be on one file system. */
export async function moveInto(temporary: string, file: string): Promise<void> {
  await rename(temporary, file);
  await syncDirectory(path.dirname(file));
}

async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return; // a directory cannot be opened for syncing there
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
