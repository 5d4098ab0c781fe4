import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeDirectory } from '../../../activities/store/make-directory.js';
import { useTemporaryDirectory } from '../../support/temporary-directory.js';

describe('makeDirectory', () => {
  const root = useTemporaryDirectory();
  const inside = (...names: string[]): string => path.join(root(), ...names);

  it('makes a directory and all that is missing above it, once or again', async () => {
    await makeDirectory(inside('a', 'b', 'c'));
    await makeDirectory(inside('a', 'b', 'c'));

    expect((await stat(inside('a', 'b', 'c'))).isDirectory()).toBe(true);
  });

  it('lets any number make the same one at once', async () => {
    for (let tree = 0; tree < 50; tree += 1) {
      const directory = inside(`${tree}`, 'y', 'z');
      await Promise.all(
        [directory, inside(`${tree}`), directory, inside(`${tree}`, 'y'), directory].map(makeDirectory),
      );

      expect((await stat(directory)).isDirectory()).toBe(true);
    }
  });

  it('rejects where a file is in the way', async () => {
    await writeFile(inside('file'), '');

    await expect(makeDirectory(inside('file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeDirectory(inside('file', 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it('takes a root for what it is', async () => {
    await expect(makeDirectory(path.parse(root()).root)).resolves.toBeUndefined();
  });

  it('rejects at once where nothing can be made although the parent is there', async () => {
    // Below /proc on Linux; elsewhere there is no such place, and the file in the way stands for it.
    const place = process.platform === 'linux' ? '/proc/holdfast/corpus' : inside('file', 'corpus');
    await writeFile(inside('file'), '');

    await expect(makeDirectory(place)).rejects.toMatchObject({ code: expect.stringMatching(/^E/) as string });
  });
});
