import { parseConfig } from '../../src/config.js';
import { endpointDefaults } from '../../src/model-registry-endpoints.js';
import { findOption } from '../../src/model-registry.js';
import { findPreset, presetNames, presets } from '../../src/presets.js';
import { checkProfiles, describeDrift, profileFields } from '../../src/profile.js';
import type { KnobValues } from '../../src/knobs.js';

function isCloud(optionId: string): boolean {
  return endpointDefaults[findOption(optionId)?.endpointId ?? '']?.cloud === true;
}

function shipped(): Record<string, Record<string, unknown>> {
  return Object.fromEntries(presets.map((preset) => [preset.name, { ...profileFields(preset) }]));
}

describe('presets', () => {
  it('has each name once', () => {
    expect(new Set(presetNames).size).toBe(presetNames.length);
  });

  it.each(presets)('$name names only options of the registry', ({ knobs }) => {
    const ids = (['transcription', 'diarization', 'summary', 'gi', 'kg'] as const).flatMap((chain) => [
      ...(knobs[chain] === undefined ? [] : [knobs[chain]]),
      ...(knobs[`${chain}_fallback`] ?? []),
    ]);
    expect(ids.filter((id) => findOption(id) === undefined)).toEqual([]);
  });

  it.each(presets)('$name asks free options before paid ones', ({ knobs }) => {
    for (const chain of ['transcription', 'diarization', 'summary'] as const) {
      const paid = (knobs[`${chain}_fallback`] ?? []).map(isCloud);
      expect(paid).toEqual([...paid].sort((a, b) => Number(a) - Number(b)));
    }
  });

  it.each(presets.filter((preset) => /^(reprocess|experiment_dgx)_/.test(preset.name)))(
    '$name declares reprocess, hold and no replay itself',
    ({ knobs }) => {
      expect(knobs).toMatchObject({
        resilience_run_context: 'reprocess',
        resilience_failure_strategy: 'hold',
        transcript_cache_enabled: false,
      });
    },
  );

  it("carries RFC-106's ladders in full", () => {
    const knobs: KnobValues | undefined = findPreset('prod_dgx_moss')?.knobs;
    expect([knobs?.transcription, ...(knobs?.transcription_fallback ?? [])]).toEqual([
      'moss_transcribe_diarize',
      'tailnet_dgx_speaches_thread_b',
      'local_mps_large_v3',
      'openai_whisper_1',
    ]);
  });
});

describe('profileFields', () => {
  it.each(presets)('$name gives a file that parses without a fault', (preset) => {
    expect(parseConfig(profileFields(preset), preset.name).faults).toEqual([]);
  });

  it('writes the providers beside the option ids', () => {
    const preset = findPreset('cloud_with_dgx_primary');
    expect(preset && profileFields(preset)).toMatchObject({
      transcription_fallback: ['tailnet_dgx_speaches_thread_b', 'local_mps_large_v3', 'openai_whisper_1'],
      transcription_fallback_providers: ['tailnet_dgx_whisper', 'whisper', 'openai'],
    });
  });
});

describe('checkProfiles', () => {
  it('finds nothing in the shipped profiles', () => {
    expect(checkProfiles(shipped())).toEqual([]);
  });

  it.each([
    ['local', 'resilience_run_context', 'serve'],
    ['reprocess_v23_turbo', 'resilience_failure_strategy', 'failover'],
    ['reprocess_dgx_turbo', 'transcript_cache_enabled', true],
    ['prod_dgx_full', 'transcription_fallback', ['local_mps_large_v3', 'tailnet_dgx_speaches_thread_b']],
    ['prod_dgx_full', 'transcription_fallback_providers', ['tailnet_dgx_whisper', 'whispr']],
    ['cloud_balanced', 'llm_resilience_retries_before_trip', 11],
    ['local', 'resilience_retries_before_trip', 4],
    ['airgapped', 'allow_cloud_fallback', true],
    ['local', 'llm_timeout_base_sec', 5],
  ])('names %s and %s when that field was changed', (profile, field, value) => {
    const files = shipped();
    files[profile] = { ...files[profile], [field]: value };
    expect(checkProfiles(files)).toEqual([expect.objectContaining({ profile, field })]);
  });

  it('names a field that was taken out', () => {
    const files = shipped();
    files['local'] = Object.fromEntries(Object.entries(files['local'] ?? {}).filter(([name]) => name !== 'summary'));
    expect(checkProfiles(files).map(describeDrift)).toEqual([
      'local: summary: the registry says "local_extractive", the file says nothing',
    ]);
  });

  it('tells a missing file, an unknown one and an unreadable one', () => {
    const { local: _local, ...files } = shipped();
    const drifts = checkProfiles({ ...files, mine: {}, dev: 'not valid YAML' }).map(describeDrift);
    expect(drifts).toEqual([
      'local: the file is missing',
      'dev: not a mapping of fields: "not valid YAML"',
      'mine: the registry has no such profile',
    ]);
  });
});
