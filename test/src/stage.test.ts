import { isLlmStage, stages } from '../../src/stage.js';

describe('isLlmStage', () => {
  it('is true for exactly the three text stages', () => {
    expect(stages.filter(isLlmStage)).toEqual(['summarize', 'gi', 'kg']);
  });
});
