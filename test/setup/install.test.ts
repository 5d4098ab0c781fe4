import fs from 'node:fs';
import path from 'node:path';
import { checkSha256, installOnce } from '../../setup/install.js';
import { useTemporaryDirectory } from '../support/temporary-directory.js';

describe('installOnce', () => {
  const directory = useTemporaryDirectory();
  const writing =
    (text: string) =>
    (dir: string): Promise<void> =>
      fs.promises.writeFile(path.join(dir, 'part'), text);

  it('builds into the final folder', async () => {
    const dir = await installOnce({ env: {}, cacheDir: directory() }, 'tool-1', writing('first'));
    expect(dir).toBe(path.join(directory(), 'tool-1'));
    expect(fs.readFileSync(path.join(dir, 'part'), 'utf8')).toBe('first');
  });

  it('does not build what is there', async () => {
    const cache = { env: {}, cacheDir: directory() };
    await installOnce(cache, 'tool-1', writing('first'));
    const dir = await installOnce(cache, 'tool-1', writing('second'));
    expect(fs.readFileSync(path.join(dir, 'part'), 'utf8')).toBe('first');
  });

  it('leaves nothing behind when the build fails', async () => {
    const cache = { env: {}, cacheDir: directory() };
    const build = async (dir: string): Promise<void> => {
      await writing('half')(dir);
      throw new Error('cut off');
    };
    await expect(installOnce(cache, 'tool-1', build)).rejects.toThrow('cut off');
    expect(fs.existsSync(path.join(directory(), 'tool-1'))).toBe(false);
    expect(fs.readdirSync(path.join(directory(), 'staging'))).toEqual([]);
  });

  it('lets two that build at once both end with one whole installation', async () => {
    const cache = { env: {}, cacheDir: directory() };
    const dirs = await Promise.all(['a', 'b'].map((text) => installOnce(cache, 'tool-1', writing(text))));
    expect(new Set(dirs).size).toBe(1);
    expect(['a', 'b']).toContain(fs.readFileSync(path.join(directory(), 'tool-1', 'part'), 'utf8'));
  });
});

describe('checkSha256', () => {
  const directory = useTemporaryDirectory();

  it('names the file and both digests when they differ', async () => {
    const file = path.join(directory(), 'model.bin');
    fs.writeFileSync(file, 'abc');
    const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    await expect(checkSha256(file, ['00ff'])).rejects.toThrow(`model.bin has SHA-256 ${abc}; expected 00ff`);
    await expect(checkSha256(file, ['00ff', abc])).resolves.toBeUndefined();
  });
});
