import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeDirectory } from '../activities/store/make-directory.js';
import { asStoreError, systemCode } from '../activities/store/store-error.js';
import { CommandError } from './command-error.js';
import { commandWord } from './command-word.js';

const lockName = 'up.pid';

/**
 * Takes a data directory for this process, so that two servers never share a database file. Gives back the way to let go.
 *
 * @throws {CommandError} when a living process has it, or it is not ours to write
 */
export async function lockDataDir(dataDir: string): Promise<() => void> {
  const file = path.join(dataDir, lockName);
  try {
    await makeDirectory(dataDir);
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') {
      const fault = asStoreError(error, file);
      throw new CommandError(fault instanceof Error ? fault.message : String(fault));
    }
    const owner = Number(readFileSync(file, 'utf8'));
    if (isAlive(owner)) {
      throw new CommandError(
        `${dataDir} is in use by another \`holdfast up\` or quickstart (process ${owner}): ` +
          `use it with \`${commandWord()} reprocess\`, or choose another with --data-dir.`,
      );
    }
    writeFileSync(file, String(process.pid));
  }
  return () => rmSync(file, { force: true });
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
