import { callBudgetOfBatch, refusalForBudget } from '../../src/call-budget.js';
import { plan } from '../support/plan.js';

const episode = { episodeId: 'e1', feedId: 'f1', title: 'One' };
const counts = { requested: 3, done: 1, failed: 0, skipped: 0 };

describe('callBudgetOfBatch', () => {
  it('is 100 calls an episode, and at least 10,000', () => {
    expect(callBudgetOfBatch(undefined, 3)).toBe(10_000);
    expect(callBudgetOfBatch(undefined, 2500)).toBe(250_000);
  });

  it("is the plan's own figure where there is one", () => {
    expect(plan({ overrides: { call_budget_per_batch: '40' } }).callBudgetPerBatch).toBe(40);
    expect(callBudgetOfBatch(40, 2500)).toBe(40);
  });
});

describe('refusalForBudget', () => {
  it('lets an episode start while a call is left', () => {
    const run = plan({ overrides: { call_budget_per_batch: 40 } });
    expect(refusalForBudget({ plan: run, counts }, episode)).toBeUndefined();
    expect(refusalForBudget({ plan: run, counts, llmCalls: 39 }, episode)).toBeUndefined();
  });

  it('fails the episode as its own budget would, and names the knob', () => {
    const run = plan({ overrides: { call_budget_per_batch: 40 } });
    expect(refusalForBudget({ plan: run, counts, llmCalls: 40 }, episode)).toMatchObject({
      ...episode,
      state: 'failed',
      failureType: 'CallBudgetExhausted',
      reason: expect.stringMatching(/40 LLM calls.*call_budget_per_batch/) as unknown,
    });
  });

  it('goes by the number of episodes where the plan states no budget', () => {
    const run = plan({});
    const many = { ...counts, requested: 2500 };
    expect(refusalForBudget({ plan: run, counts, llmCalls: 9999 }, episode)).toBeUndefined();
    expect(refusalForBudget({ plan: run, counts, llmCalls: 10_000 }, episode)?.reason).toContain('10000 LLM calls');
    expect(refusalForBudget({ plan: run, counts: many, llmCalls: 249_999 }, episode)).toBeUndefined();
    expect(refusalForBudget({ plan: run, counts: many, llmCalls: 250_000 }, episode)?.reason).toContain('250000');
  });
});
