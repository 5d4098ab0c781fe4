import fc from 'fast-check';
import { knobNames } from '../../src/knobs.js';
import { faultsOf } from '../support/plan.js';
import type { Given } from '../support/plan.js';

describe('resolvePlan refusals', () => {
  it.each<[string, Given, string]>([
    [
      'an unknown option',
      { overrides: { transcription: 'local_whisper_cpp' } },
      'did you mean "local_whisper_cpp_tiny_en"?',
    ],
    ['an option of another stage', { overrides: { summary: 'openai_whisper_1' } }, 'is of stage transcription'],
    [
      'a misspelt knob',
      { overrides: { resilience_retry_before_trip: 1 } },
      'did you mean "resilience_retries_before_trip"?',
    ],
    [
      'a value out of range',
      { overrides: { resilience_retries_before_trip: 99 } },
      'got 99, allowed: a whole number 0..20',
    ],
    ['a doubled tier', { overrides: { summary_fallback: 'gemini_flash,gemini_flash' } }, 'stands twice in the chain'],
    [
      'a fallback equal to its primary',
      { config: { summary: 'gemini_pro', summary_fallback: ['gemini_pro'] } },
      'stands twice',
    ],
    [
      'providers that disagree',
      { config: { summary: 'gemini_pro', summary_provider: 'openai' } },
      'summary_provider: got ["openai"]',
    ],
    [
      'a provider without a client',
      { overrides: { summary: 'anthropic_haiku_4_5' } },
      'no client here speaks to provider "anthropic"',
    ],
    [
      'an unknown method',
      { overrides: { gi_method: 'provider_chunked_gated_v4' } },
      'did you mean "provider_chunked_gated_v3"?',
    ],
    ['a missing GPU host', { profile: 'prod_dgx_full', rest: { dgxHost: '' } }, 'set DGX_TAILNET_HOST'],
  ])('refuses %s', (_what, given, fault) => {
    expect(faultsOf(given).join('\n')).toContain(fault);
  });

  it('tells all faults at once', () => {
    const overrides = { transcription: 'nonsense', resilience_jitter: 7, diarization: 'openai_whisper_1' };
    expect(faultsOf({ overrides })).toHaveLength(3);
  });

  it('refuses a reprocess profile that resolves to failover without saying so', () => {
    const given = { config: { resilience_run_context: 'serve' }, rest: { configName: 'reprocess_mine' } };
    expect(faultsOf(given)[0]).toContain('"reprocess_mine" resolves to failover without saying so');
    const said = { ...given, config: { ...given.config, resilience_failure_strategy: 'failover' } };
    expect(faultsOf(said)).toEqual([]);
  });

  it('refuses or resolves, and never breaks, whatever the overrides are', () => {
    const name = fc.oneof(fc.constantFrom(...knobNames), fc.string());
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.array(fc.string()),
      fc.constant('openai_whisper_1'),
    );
    fc.assert(
      fc.property(fc.dictionary(name, value), (overrides) => {
        expect(faultsOf({ profile: 'prod_dgx_moss', overrides })).toBeInstanceOf(Array);
      }),
    );
  });

  it('refuses a run with nothing to do', () => {
    const overrides = Object.fromEntries(
      ['transcription', 'diarization', 'summary', 'gi', 'kg'].map((chain) => [`${chain}_enabled`, false]),
    );
    expect(faultsOf({ overrides })).toEqual(['every stage is disabled: nothing to do']);
  });
});
