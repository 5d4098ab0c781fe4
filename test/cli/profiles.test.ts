import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { holdfast } from '../support/holdfast.js';
import { repositoryRoot } from '../support/prepared.js';
import { useTemporaryDirectory } from '../support/temporary-directory.js';

describe('holdfast profiles', () => {
  const directory = useTemporaryDirectory();
  const run = (...args: string[]): ReturnType<typeof holdfast> => holdfast(['profiles', ...args], { cwd: directory() });

  it('materializes the very files that are shipped', async () => {
    const ran = await run('materialize', '--dir', 'out');

    expect(ran.exitCode).toBe(0);
    const written = await readFile(path.join(directory(), 'out', 'reprocess_dgx_turbo.yaml'), 'utf8');
    expect(written).toBe(await readFile(path.join(repositoryRoot, 'profiles', 'reprocess_dgx_turbo.yaml'), 'utf8'));
  });

  it('finds no drift in the shipped files', async () => {
    expect(await run('check')).toMatchObject({ exitCode: 0, stdout: 'The profiles agree with the registry.\n' });
  });

  it('names the field that drifted, with both values, and exits with 1', async () => {
    await run('materialize', '--dir', 'out');
    const file = path.join(directory(), 'out', 'local.yaml');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('allow_cloud_fallback: true', 'allow_cloud_fallback: false'));

    const ran = await run('check', '--dir', 'out');

    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toBe('local: allow_cloud_fallback: the registry says true, the file says false\n');
  });

  it('lists every profile with what it is for, and shows one', async () => {
    const listed = await run('list');
    const shown = await run('show', 'local');

    expect(listed.stdout).toMatch(/^local +any laptop/m);
    expect(shown.stdout).toContain('resilience_run_context: reprocess');
  });

  it('names the nearest profile when one is misspelt', async () => {
    const ran = await run('show', 'reprocess_dgx_trubo');

    expect(ran.exitCode).toBe(2);
    expect(ran.stderr).toContain('did you mean "reprocess_dgx_turbo"?');
  });
});
