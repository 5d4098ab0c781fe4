import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from './store-error.js';

/**
 * Makes a directory and the missing ones above it. Instead of Node's `recursive`, which never returns where a file system
 * answers ENOENT although the parent is there (below /proc, on a mount that went away), and burns a core meanwhile.
 *
 * @throws Error of the file system, with its code
 */
export async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory);
  } catch (error) {
    const parent = path.dirname(directory);
    if (systemCode(error) === 'ENOENT' && parent !== directory) {
      // Once more also where the parent is there by now: somebody else has just made it.
      if (!(await isDirectory(parent))) await makeDirectory(parent);
      await mkdir(directory).catch(unlessThere(directory));
      return;
    }
    await unlessThere(directory)(error);
  }
}

/** Somebody else may have made it meanwhile; a root or a mount point answers with other codes than EEXIST. */
function unlessThere(directory: string): (error: unknown) => Promise<void> {
  return async (error) => {
    if (!(await isDirectory(directory))) throw error;
  };
}

async function isDirectory(file: string): Promise<boolean> {
  return stat(file).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}
