import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { SetupContext } from './context.js';

/** The folder in the cache that `name` is installed to; it exists only when complete. */
export function installDir(context: SetupContext, name: string): string {
  return path.join(context.cacheDir, name);
}

/**
 * Installs into the cache all or nothing: `build` fills a folder of its own, which then takes its final name in one
 * step. Of two processes at it at once, one wins and both use the winner's files.
 * @returns the final folder
 */
export async function installOnce(
  context: SetupContext,
  name: string,
  build: (dir: string) => Promise<void>,
): Promise<string> {
  const target = installDir(context, name);
  if (fs.existsSync(target)) return target;
  const staging = path.join(context.cacheDir, 'staging', `${name}-${randomUUID()}`);
  await fs.promises.mkdir(staging, { recursive: true });
  try {
    await build(staging);
    await renameUnlessThere(staging, target);
  } finally {
    await fs.promises.rm(staging, { recursive: true, force: true });
  }
  return target;
}

async function renameUnlessThere(staging: string, target: string): Promise<void> {
  try {
    await fs.promises.rename(staging, target);
  } catch (error) {
    if (!fs.existsSync(target)) throw error;
  }
}

/** SHA-256 of a file, in hex. */
export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(fs.createReadStream(file), hash);
  return hash.digest('hex');
}

/** @throws Error naming the file and both digests when its digest is none of those expected. */
export async function checkSha256(file: string, expected: readonly string[]): Promise<void> {
  const actual = await sha256OfFile(file);
  if (!expected.includes(actual)) {
    throw new Error(`${path.basename(file)} has SHA-256 ${actual}; expected ${expected.join(' or ')}`);
  }
}
