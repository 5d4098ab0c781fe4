import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** Makes `directory` a disk of 1 MB; answers how to take it away again, or undefined where mounting is not permitted. */
export function mountSmallDisk(directory: string): (() => void) | undefined {
  const run = (command: string): void => {
    execFileSync('sh', ['-c', command], { env: { ...process.env, DISK: directory }, stdio: 'ignore' });
  };
  mkdirSync(directory, { recursive: true });
  try {
    run('mount -t tmpfs -o size=1m tmpfs "$DISK"');
  } catch {
    return undefined;
  }
  return () => {
    run('umount "$DISK"');
  };
}
