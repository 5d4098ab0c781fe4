import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const fileName = 'temporal.pid';
const limitMs = 10_000;

/** Notes the server's process, for whoever comes after a `holdfast up` that was killed. */
export function noteServer(dataDir: string, pid: number | undefined): void {
  if (pid !== undefined) writeFileSync(path.join(dataDir, fileName), String(pid));
}

export function forgetServer(dataDir: string): void {
  rmSync(path.join(dataDir, fileName), { force: true });
}

/**
 * Stops the server that a killed `holdfast up` left behind: it still has the port and the database. Only a process that
 * runs on this very database file is taken for it.
 */
export async function stopStaleServer(dataDir: string, database: string): Promise<void> {
  const pid = readPid(dataDir);
  if (pid === undefined || !(await runsOn(pid, database))) return;
  process.kill(pid, 'SIGTERM');
  const deadlineAtMs = Date.now() + limitMs;
  while (await runsOn(pid, database)) {
    if (Date.now() > deadlineAtMs) process.kill(pid, 'SIGKILL');
    await delay(200);
  }
  forgetServer(dataDir);
}

function readPid(dataDir: string): number | undefined {
  try {
    const pid = Number(readFileSync(path.join(dataDir, fileName), 'utf8'));
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** By `ps`, since a process id alone may be anybody's by now. */
async function runsOn(pid: number, database: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)]);
    return stdout.includes('start-dev') && stdout.includes(database);
  } catch {
    return false;
  }
}
