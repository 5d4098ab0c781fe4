import { emptyConfig, mergeConfigs, parseConfig } from '../../src/config.js';

const file = 'holdfast.config.yaml';

describe('parseConfig', () => {
  it('takes endpoints, knobs, store, sentry and worker', () => {
    const { config, faults } = parseConfig(
      {
        profile: 'reprocess_v23_turbo',
        dgx_tailnet_host: 'spark.tail',
        endpoints: {
          'dgx-speaches': { url: 'http://127.0.0.1:9000/', capacity: 2, probe: { intervalSec: 1, deadlineSec: 2 } },
        },
        resilience_retries_before_trip: 1,
        transcription_fallback: ['openai_whisper_1'],
        store: { corpusDir: '/data' },
        sentry: { dsnEnv: 'SENTRY_DSN', environment: 'test' },
        worker: { maxConcurrentActivities: 10 },
      },
      file,
    );
    expect(faults).toEqual([]);
    expect(config.endpoints?.['dgx-speaches']).toMatchObject({ url: 'http://127.0.0.1:9000', capacity: 2 });
    expect(config.knobs).toEqual({ resilience_retries_before_trip: 1, transcription_fallback: ['openai_whisper_1'] });
    expect(config.store).toEqual({ corpusDir: '/data' });
  });

  it.each([
    [
      { resilience_retry_before_trip: 1 },
      'unknown field "resilience_retry_before_trip"; did you mean "resilience_retries_before_trip"?',
    ],
    [{ endpoint: {} }, 'unknown field "endpoint"; did you mean "endpoints"?'],
    [{ endpoints: { local_olama: {} } }, 'endpoints.local_olama: unknown endpoint; did you mean "local-ollama"?'],
    [{ endpoints: { openai: { ulr: 'http://x' } } }, 'unknown field "endpoints.openai.ulr"; did you mean "url"?'],
    [
      { endpoints: { openai: { probe: { interval: 1 } } } },
      'unknown field "endpoints.openai.probe.interval"; did you mean "intervalSec"?',
    ],
    [{ sentry: { dsn: 'x' } }, 'unknown field "sentry.dsn"; did you mean "dsnEnv"?'],
    [{ endpoints: { openai: { url: 'ftp://x' } } }, 'endpoints.openai.url: allowed: an http(s) URL'],
    [{ endpoints: { openai: { url: 'https://me:secret@x' } } }, 'endpoints.openai.url: allowed: an http(s) URL'],
    [{ endpoints: { openai: { capacity: 0 } } }, 'endpoints.openai.capacity: got 0, allowed: a whole number from 1'],
    [{ store: { corpusDir: 5 } }, 'store.corpusDir: got 5, allowed: a text that is not empty'],
    [{ endpoints: { openai: 'x' } }, 'endpoints.openai: got "x", allowed: a mapping'],
    [{ endpoints: { openai: { apiKeyEnv: 'sk-12-34' } } }, 'the name of an environment variable, never the key itself'],
    [{ resilience_jitter: 2 }, 'resilience_jitter: got 2, allowed: a share of the wait, 0..1'],
    [['a'], 'expected a mapping'],
    ['a', 'expected a mapping'],
  ])('refuses %j', (raw, fault) => {
    const { faults } = parseConfig(raw, file);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(fault);
    expect(faults[0]).toContain(file);
  });

  it('tells all faults at once', () => {
    const { faults } = parseConfig({ nonsense: 1, resilience_jitter: 2, endpoints: { openai: { capacity: 0 } } }, file);
    expect(faults).toHaveLength(3);
  });

  it('names an unknown endpoint whatever else is wrong with it', () => {
    const { faults } = parseConfig({ endpoints: { 'dgx-speeches': { url: 'ftp://x' } } }, file);
    expect(faults).toEqual([
      expect.stringContaining('endpoints.dgx-speeches.url: '),
      `${file}: endpoints.dgx-speeches: unknown endpoint; did you mean "dgx-speaches"?`,
    ]);
  });

  it('does not repeat what might be a secret', () => {
    const { faults } = parseConfig({ endpoints: { openai: { apiKeyEnv: 'sk-very-secret' } } }, file);
    expect(faults.join()).not.toContain('sk-very-secret');
  });

  it('takes an empty file for an empty configuration', () => {
    expect(parseConfig(null, file)).toEqual({ config: emptyConfig, faults: [] });
  });
});

describe('mergeConfigs', () => {
  it("lays a run's endpoints over the site's field by field", () => {
    const site = parseConfig(
      { endpoints: { openai: { capacity: 3, probe: { intervalSec: 5 } }, gemini: {} } },
      file,
    ).config;
    const run = parseConfig(
      { endpoints: { openai: { url: 'http://127.0.0.1:1', probe: { deadlineSec: 9 } } } },
      file,
    ).config;
    const merged = mergeConfigs(site, run);
    expect(merged.endpoints?.['openai']).toEqual({
      url: 'http://127.0.0.1:1',
      capacity: 3,
      probe: { intervalSec: 5, deadlineSec: 9 },
    });
    expect(Object.keys(merged.endpoints ?? {})).toEqual(['openai', 'gemini']);
  });
});
