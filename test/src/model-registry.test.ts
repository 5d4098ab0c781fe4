import { endpointDefaults } from '../../src/model-registry-endpoints.js';
import { endpointIdSchema } from '../../src/endpoint.js';
import { findOption, optionIdsFor, optionOfProvider, stageOptions } from '../../src/model-registry.js';

describe('stageOptions', () => {
  it('has each option id once', () => {
    const ids = stageOptions.map((option) => option.optionId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('names a known endpoint wherever a wire shape is spoken', () => {
    const spoken = stageOptions.filter((option) => option.wire !== undefined);
    expect(spoken.filter((option) => endpointDefaults[option.endpointId ?? ''] === undefined)).toEqual([]);
  });

  it('keeps turbo and large-v3 of one box apart: one endpoint, two models', () => {
    const turbo = findOption('tailnet_dgx_whisper_turbo');
    const large = findOption('tailnet_dgx_speaches_thread_b');
    expect(turbo?.endpointId).toBe(large?.endpointId);
    expect(turbo?.model).not.toBe(large?.model);
  });

  it('carries the measured figures', () => {
    expect(findOption('moss_transcribe_diarize')).toMatchObject({
      realtimeMultiple: 2.7,
      residentMemoryGb: 16,
      measuredAt: '2026-07-16',
      researchRef: 'EVAL_MOSS_BAKEOFF_2026_07',
    });
    expect(findOption('gemini_flash_lite')?.policy).toEqual({
      retriesBeforeTrip: 6,
      backoffScheduleSec: [2, 4, 8, 16, 32, 60],
    });
  });
});

describe('optionIdsFor', () => {
  it('offers the options of the summary to GI and KG', () => {
    expect(optionIdsFor('gi')).toEqual(optionIdsFor('summary'));
    expect(optionIdsFor('kg')).toContain('local_extractive');
  });
});

describe('optionOfProvider', () => {
  it.each([
    ['transcription', 'tailnet_dgx_whisper', 'tailnet_dgx_whisper_turbo'],
    ['transcription', 'whisper', 'local_mps_large_v3'],
    ['transcription', 'openai', 'openai_whisper_1'],
    ['transcription', 'moss', 'moss_transcribe_diarize'],
    ['diarization', 'local', 'pyannote_diarization_community1'],
    ['summary', 'deepseek', 'deepseek_native_flash'],
  ] as const)('reads the %s provider %s as %s', (chain, provider, optionId) => {
    expect(optionOfProvider(chain, provider)?.optionId).toBe(optionId);
  });
});

describe('endpointDefaults', () => {
  it('has legal ids, one call at a time on the GPU box but for vLLM, and many in the cloud', () => {
    for (const [id, endpoint] of Object.entries(endpointDefaults)) {
      expect(endpointIdSchema.safeParse(id).success).toBe(true);
      expect(endpoint.capacity > 10).toBe(endpoint.cloud);
    }
    expect(endpointDefaults['dgx-pyannote']?.capacity).toBe(1);
  });

  it('waits for the services that compute on after a disconnect', () => {
    for (const id of ['dgx-moss', 'dgx-pyannote', 'dgx-whisper']) {
      expect(endpointDefaults[id]?.drainSec).toBeGreaterThan(0);
    }
    expect(endpointDefaults['dgx-vllm']?.drainSec).toBe(0);
  });

  it('counts the gateway to cloud models as cloud', () => {
    expect(endpointDefaults['litellm']?.cloud).toBe(true);
    expect(endpointDefaults['qwen']?.cloud).toBe(true);
  });
});
