import { stageIdentityText } from '../../src/stage-key.js';

const identity = {
  stage: 'summarize',
  inputs: ['a', 'b'],
  optionId: 'option',
  model: 'model',
  methodVersion: '1',
  promptVersion: 'p1',
} as const;

describe('stageIdentityText', () => {
  it('is the same for the same identity', () => {
    expect(stageIdentityText({ ...identity })).toBe(stageIdentityText(identity));
  });

  it('changes with everything that an artifact depends on', () => {
    const variants = [
      identity,
      { ...identity, stage: 'gi' as const },
      { ...identity, inputs: ['b', 'a'] },
      { ...identity, inputs: ['a","b'] },
      { ...identity, optionId: 'other' },
      { ...identity, model: 'other' },
      { ...identity, methodVersion: '2' },
      { ...identity, promptVersion: 'p2' },
      { ...identity, promptVersion: undefined },
      { ...identity, settings: 'speakers=2' },
    ];

    expect(new Set(variants.map(stageIdentityText)).size).toBe(variants.length);
  });
});
