import { whyWaiting } from '../../src/batch-status.js';

describe('whyWaiting', () => {
  const running = { state: 'running', endpoints: [], halts: [], window: 2 } as const;

  it('says how a batch goes down to a smaller window', () => {
    expect(whyWaiting({ ...running, inWork: 4 })).toBe('Running: 4 episodes in work, going down to 2.');
    expect(whyWaiting({ ...running, inWork: 2 })).toBe('Running: 2 of at most 2 episodes in work.');
  });

  it('names nobody and no reason where none is known', () => {
    const given = { order: 'resume', atMs: 0, by: 'ada' } as const;
    expect(whyWaiting({ ...running, state: 'paused', inWork: 0, lastOrder: given })).toBe(
      'Paused by an operator; `resume` goes on.',
    );
  });
});
