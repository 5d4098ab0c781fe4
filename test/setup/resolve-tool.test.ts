import type { SetupContext, SetupStep } from '../../setup/context.js';
import { notSet, PartNotFoundError, resolveTool, type Source } from '../../setup/resolve-tool.js';

type Part = { readonly path: string };

const context: SetupContext = { env: {}, cacheDir: '/nowhere' };
const empty = (name: string, reason: string): Source<Part> => ({
  name,
  find: () => Promise.resolve({ missing: reason }),
});
const holding = (name: string): Source<Part> => ({
  name,
  find: () => Promise.resolve({ found: { path: `/from/${name}` } }),
});
const broken = (name: string, message: string): Source<Part> => ({
  name,
  find: () => Promise.reject(new Error(message)),
});

describe('resolveTool', () => {
  it('answers with the first source that has the part, and names it', async () => {
    const part = await resolveTool('part', [empty('a', 'gone'), holding('b'), holding('c')], context);
    expect(part).toEqual({ path: '/from/b', source: 'b', tried: [{ source: 'a', reason: 'gone' }] });
  });

  it('goes on after a source that fails', async () => {
    const part = await resolveTool('part', [broken('a', 'no network'), holding('b')], context);
    expect(part.source).toBe('b');
  });

  it('lists every step with its outcome when none has the part', async () => {
    const sources = [empty('PART_PATH', notSet.missing), empty('PATH', 'no part there'), broken('wheel', 'no pip')];
    await expect(resolveTool('part', sources, context)).rejects.toThrow(
      'part was not found. Tried, in this order:\n  1. PART_PATH: not set\n  2. PATH: no part there\n  3. wheel: no pip',
    );
  });

  it('takes nothing else in place of a part that was named on purpose and is unusable', async () => {
    const named: Source<Part> = { ...broken('PART_PATH', 'no such file'), explicit: true };
    const failure = resolveTool('part', [named, holding('PATH')], context);
    await expect(failure).rejects.toThrow(PartNotFoundError);
    await expect(failure).rejects.toThrow('PART_PATH: no such file');
  });

  it('passes over a named source that is not set', async () => {
    const named: Source<Part> = { name: 'PART_PATH', explicit: true, find: () => Promise.resolve(notSet) };
    const part = await resolveTool('part', [named, holding('PATH')], context);
    expect(part.source).toBe('PATH');
  });

  it('tells of each step as it happens', async () => {
    const steps: SetupStep[] = [];
    const watching = { ...context, onStep: (step: SetupStep) => steps.push(step) };
    await resolveTool('part', [empty('a', 'gone'), holding('b')], watching);
    expect(steps.map(({ source, state, detail }) => [source, state, detail])).toEqual([
      ['a', 'trying', ''],
      ['a', 'missing', 'gone'],
      ['b', 'trying', ''],
      ['b', 'found', ''],
    ]);
  });
});
