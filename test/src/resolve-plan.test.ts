import { runPlanSchema } from '../../src/run-plan.js';
import type { RunPlan } from '../../src/run-plan.js';
import type { Stage } from '../../src/stage.js';
import { faultsOf, plan } from '../support/plan.js';

function ids(run: RunPlan, stage: Stage): string[] {
  return run.stages[stage].chain.map((tier) => tier.optionId);
}

describe('resolvePlan for profile local', () => {
  it('reprocesses and holds on the local models, without replay', () => {
    const run = plan({});
    expect(run).toMatchObject({ runContext: 'reprocess', failureStrategy: 'hold', transcriptCacheEnabled: false });
    expect(ids(run, 'transcribe')).toEqual(['local_whisper_cpp_tiny_en']);
    expect(ids(run, 'diarize')).toEqual(['local_sherpa_diarizer']);
    for (const stage of ['summarize', 'gi', 'kg'] as const) expect(ids(run, stage)).toEqual(['local_extractive']);
    expect(Object.keys(run.endpoints)).toEqual(['local-whisper', 'local-diarizer', 'local-extractive']);
    expect(runPlanSchema.parse(run)).toEqual(run);
  });

  it('goes where the local services really listen', () => {
    const run = plan({ rest: { localUrls: { 'local-whisper': 'http://127.0.0.1:5' } } });
    expect(run.stages.transcribe.chain[0]?.url).toBe('http://127.0.0.1:5');
    expect(run.endpoints['local-whisper']?.probe.url).toBe('http://127.0.0.1:5');
  });

  it.each([
    [{ 'local-ollama': { model: 'llama3.2:3b' } }, 'local_ollama', 'llama3.2:3b'],
    [{ 'local-llm': { url: 'http://127.0.0.1:8080/v1', model: 'qwen3' } }, 'local_llm', 'qwen3'],
  ])('uses the LLM that the configuration describes: %j', (endpoints, optionId, model) => {
    const run = plan({ config: { endpoints } });
    for (const stage of ['summarize', 'gi', 'kg'] as const) {
      expect(run.stages[stage].chain.map((tier) => [tier.optionId, tier.model])).toEqual([[optionId, model]]);
    }
  });

  it('keeps an explicit choice although an LLM is configured', () => {
    const config = { endpoints: { 'local-ollama': {} } };
    const run = plan({ config, overrides: { summary: 'local_extractive' } });
    expect(ids(run, 'summarize')).toEqual(['local_extractive']);
  });

  it('makes the airgapped profiles runnable with a local LLM, and fails closed', () => {
    const run = plan({ profile: 'airgapped', config: { endpoints: { 'local-ollama': { model: 'm' } } } });
    expect(run.allowCloudFallback).toBe(false);
    expect(ids(run, 'summarize')).toEqual(['local_ollama']);
  });

  it('says that a configured server needs a model and a URL', () => {
    expect(faultsOf({ config: { endpoints: { 'local-llm': { url: 'http://x' } } } })).toEqual([
      'summary: "local_llm" cannot be built: endpoint local-llm names no model: set endpoints.local-llm.model',
    ]);
  });
});

describe('resolvePlan under hold', () => {
  it('has tier 0 alone and names what it leaves out, with the reason', () => {
    const run = plan({ profile: 'reprocess_v23_turbo' });
    expect(ids(run, 'transcribe')).toEqual(['tailnet_dgx_whisper_turbo']);
    expect(run.stages.transcribe.suppressed).toEqual([
      { optionId: 'local_mps_large_v3', reason: 'hold: the chosen model is the only one' },
    ]);
  });

  it('follows an explicit strategy of any layer, with the defaults of that strategy', () => {
    const run = plan({ profile: 'reprocess_v23_turbo', overrides: { resilience_failure_strategy: 'failover' } });
    expect(run).toMatchObject({ runContext: 'reprocess', failureStrategy: 'failover' });
    expect(ids(run, 'transcribe')).toEqual(['tailnet_dgx_whisper_turbo', 'local_mps_large_v3']);
    expect(run.stages.transcribe.chain[0]?.policy).toMatchObject({ retriesBeforeTrip: 2, backoffScheduleSec: [5, 10] });
  });

  it('gives diarization its longer deadline in a reprocess', () => {
    expect(plan({ profile: 'reprocess_v23_turbo' }).stages.diarize.chain[0]?.deadline.baseSec).toBe(600);
    expect(plan({ profile: 'prod_dgx_full' }).stages.diarize.chain[0]?.deadline.baseSec).toBe(180);
  });
});

describe('resolvePlan under failover', () => {
  it('keeps two options of one box apart: endpoint shared, models their own', () => {
    const [turbo, large] = plan({ profile: 'cloud_with_dgx_primary' }).stages.transcribe.chain;
    expect([turbo?.endpointId, large?.endpointId]).toEqual(['dgx-speaches', 'dgx-speaches']);
    expect(turbo?.model).not.toBe(large?.model);
  });

  it('orders fallbacks free before paid, whatever order they were given in', () => {
    const overrides = { transcription_fallback: 'openai_whisper_1,local_mps_large_v3,deepgram_nova_3' };
    expect(ids(plan({ profile: 'prod_dgx_full', overrides }), 'transcribe')).toEqual([
      'tailnet_dgx_whisper_turbo',
      'local_mps_large_v3',
      'openai_whisper_1',
      'deepgram_nova_3',
    ]);
  });

  it('drops every cloud tier where no paid fallback is allowed', () => {
    const run = plan({ profile: 'prod_dgx_moss', overrides: { allow_cloud_fallback: 'false' } });
    const tiers = Object.values(run.stages).flatMap((stage) => stage.chain);
    expect(tiers.some((tier) => tier.cloud)).toBe(false);
    expect(run.stages.summarize.suppressed).toEqual([
      { optionId: 'gemini_flash_lite', reason: 'allow_cloud_fallback is false' },
    ]);
  });

  it('refuses a cloud primary where no paid option is allowed, wherever its endpoint points', () => {
    const config = { endpoints: { openai: { url: 'http://127.0.0.1:1' } }, allow_cloud_fallback: false };
    expect(faultsOf({ config, overrides: { transcription: 'openai_whisper_1' } })).toEqual([
      'transcription: "openai_whisper_1" is a cloud option, and allow_cloud_fallback is false',
    ]);
  });

  it('leaves out a fallback that cannot be built, with its reason', () => {
    const overrides = { summary_fallback: 'anthropic_haiku_4_5' };
    expect(plan({ profile: 'cloud_thin', overrides }).stages.summarize.suppressed[0]?.reason).toContain('anthropic');
  });

  it("takes flash-lite's own ladder, and an explicit knob over it", () => {
    const policyOf = (overrides: Record<string, unknown>): unknown =>
      plan({ profile: 'cloud_thin', overrides }).stages.summarize.chain[0]?.policy;
    expect(policyOf({})).toMatchObject({ retriesBeforeTrip: 6, backoffScheduleSec: [2, 4, 8, 16, 32, 60] });
    expect(policyOf({ resilience_retries_before_trip: '3' })).toMatchObject({ retriesBeforeTrip: 3 });
  });

  it('lets a knob of one kind of stage leave the others alone', () => {
    const run = plan({ profile: 'prod_dgx_full', overrides: { llm_resilience_retries_before_trip: 9 } });
    expect(run.stages.kg.chain[0]?.policy.retriesBeforeTrip).toBe(9);
    expect(run.stages.diarize.chain[0]?.policy.retriesBeforeTrip).toBe(2);
  });
});

describe('resolvePlan with a configuration', () => {
  it('points any endpoint anywhere, with its own capacity, circuit, probe, key and model', () => {
    const settings = {
      url: 'http://127.0.0.1:7',
      capacity: 3,
      model: 'm',
      apiKeyEnv: 'MY_KEY',
      probe: { intervalSec: 1, deadlineSec: 2 },
      cooldownSec: 4,
      failureThreshold: 5,
      failureWindowSec: 6,
      drainSec: 7,
    };
    const run = plan({ config: { endpoints: { 'local-whisper': settings } } });
    expect(run.stages.transcribe.chain[0]).toMatchObject({ url: settings.url, model: 'm', apiKeyEnv: 'MY_KEY' });
    expect(run.endpoints['local-whisper']).toEqual({
      endpointId: 'local-whisper',
      capacity: 3,
      probeIntervalSec: 1,
      probeDeadlineSec: 2,
      cooldownSec: 4,
      failureThreshold: 5,
      failureWindowSec: 6,
      drainSec: 7,
      probe: { wire: 'openai-transcription', url: settings.url, model: 'm', apiKeyEnv: 'MY_KEY' },
    });
  });

  it('leaves out a tier that one model for the whole endpoint has made a repetition', () => {
    const config = { endpoints: { 'dgx-speaches': { model: 'one' } } };
    const { chain, suppressed } = plan({ profile: 'prod_dgx_full', config }).stages.transcribe;
    expect(chain.map((tier) => tier.optionId)).toEqual(['tailnet_dgx_whisper_turbo', 'local_mps_large_v3']);
    expect(suppressed[0]?.reason).toBe('same model at the same endpoint as tailnet_dgx_whisper_turbo');
  });

  it('lets GI have a model of its own', () => {
    const run = plan({ profile: 'cloud_thin', config: { gi: 'ollama_qwen35_35b' } });
    expect([ids(run, 'summarize')[0], ids(run, 'gi')[0]]).toEqual(['gemini_flash_lite', 'ollama_qwen35_35b']);
  });

  it("hands the method's figures to the tiers of GI and KG", () => {
    const run = plan({ profile: 'cloud_thin' });
    expect(run.stages.gi.chain[0]?.settings).toMatchObject({
      maxInsights: 50,
      chunkChars: 30_000,
      valueGateMinTier: 2,
    });
    expect(run.stages.kg.chain[0]?.settings).toEqual({ maxTopics: 10, maxEntities: 15 });
  });

  it('reads the legacy single fallback provider as a chain of one', () => {
    const config = { transcription_fallback_provider: 'openai' };
    const run = plan({ profile: 'local_dgx_full', config });
    expect(ids(run, 'transcribe')).toEqual(['local_mps_large_v3', 'openai_whisper_1']);
  });
});
