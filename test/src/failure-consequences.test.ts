import { callFailureTypes, failureTypes } from '../../src/failure.js';
import { failureConsequences } from '../../src/failure-consequences.js';

describe('failureConsequences', () => {
  it('has a row for every failure type and for a lost worker', () => {
    expect(Object.keys(failureConsequences).sort()).toEqual([...failureTypes, 'WorkerLost'].sort());
  });

  it.each(['EndpointUnavailable', 'RateLimited', 'InvalidAnswer'] as const)('lets %s go to the next tier', (type) => {
    expect(failureConsequences[type].failoverSpeech).toMatch(/^nextTier/);
    expect(failureConsequences[type].failoverLlm).toMatch(/^nextTier/);
  });

  it('never sends bad input to the next speech tier, but cascades it among language models', () => {
    expect(failureConsequences.ContentRejected.failoverSpeech).toBe('episodeFails');
    expect(failureConsequences.ContentRejected.failoverLlm).toBe('nextTier');
  });

  it.each(['AccountTerminal', 'Misconfigured'] as const)('halts at once on %s, with an alert', (type) => {
    expect(failureConsequences[type]).toMatchObject({
      hold: 'haltAtOnce',
      failoverSpeech: 'halt',
      failoverLlm: 'nextTierAndAlert',
      alert: true,
      retries: 'none',
    });
  });

  it('lets Temporal retry an unavailable endpoint only', () => {
    expect(callFailureTypes.filter((type) => failureConsequences[type].retries === 'policy')).toEqual([
      'EndpointUnavailable',
    ]);
  });

  it('charges the circuit for an unavailable endpoint and a dead account, never for bad input or bad answers', () => {
    const charges = Object.fromEntries(
      callFailureTypes.map((type) => [type, failureConsequences[type].chargesCircuit]),
    );
    expect(charges).toEqual({
      EndpointUnavailable: 'yes',
      RateLimited: 'whenLasting',
      ContentRejected: 'no',
      InvalidAnswer: 'no',
      AccountTerminal: 'opensAtOnce',
      Misconfigured: 'no',
    });
  });
});
