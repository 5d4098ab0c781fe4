import { interleave } from '../../src/interleave.js';

describe('interleave', () => {
  it('takes of each list in turn until all are used up', () => {
    expect(interleave([['a1', 'a2', 'a3'], [], ['c1']])).toEqual(['a1', 'c1', 'a2', 'a3']);
    expect(interleave([])).toEqual([]);
  });
});
