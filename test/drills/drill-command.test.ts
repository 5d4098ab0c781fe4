import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '../support/prepared.js';

/** `npm run drill -- <args>`, without npm. */
function drill(args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const loader = ['-r', path.join(repositoryRoot, 'bin', 'register.js')];
  return promisify(execFile)(process.execPath, [...loader, path.join(__dirname, 'main.ts'), ...args]);
}

describe('npm run drill', () => {
  it('plays a hold and prints what was counted as one JSON object, the rest on standard error', async () => {
    const { stdout, stderr } = await drill(['hold', '--json']);

    expect(JSON.parse(stdout)).toEqual({
      done: 8,
      failed: 0,
      mixed: 0,
      callsWhileDown: 4,
      probes: expect.any(Number) as unknown,
      maxInFlight: 1,
      stagesRepeated: 0,
      recoverySec: expect.any(Number) as unknown,
      probeIntervalSec: 2,
    });
    expect(stderr).toMatch(/Web UI +http:\/\/127\.0\.0\.1:\d+/);
  });

  it('names the drills there are when it is asked for another', async () => {
    await expect(drill(['flood'])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('hold|halt|failover|poison|zombie') as unknown,
    });
  });
});
