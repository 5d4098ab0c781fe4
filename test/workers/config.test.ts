import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfigurationError, loadSite, type Environment } from '../../workers/config.js';

describe('loadSite', () => {
  let workingDir = '';
  beforeEach(async () => {
    workingDir = await mkdtemp(path.join(tmpdir(), 'holdfast-site-'));
  });
  afterEach(() => rm(workingDir, { recursive: true, force: true }));

  const configured = 'tracing: { endpoint: "http://collector:4318/" }\n';
  const variable = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://other:4318' };

  const cases: { to: string; config: string; env: Environment; expected: string | undefined }[] = [
    { to: 'nowhere, unless a collector is named', config: '', env: {}, expected: undefined },
    { to: 'the collector of the configuration', config: configured, env: variable, expected: 'http://collector:4318' },
    { to: "else the one of OpenTelemetry's variable", config: '', env: variable, expected: 'http://other:4318' },
    {
      to: 'nowhere where OpenTelemetry is disabled',
      config: configured,
      env: { ...variable, OTEL_SDK_DISABLED: 'true' },
      expected: undefined,
    },
  ];
  it.each(cases)('sends traces to $to', async ({ config, env, expected }) => {
    await writeFile(path.join(workingDir, 'holdfast.config.yaml'), config);
    expect((await loadSite({ workingDir, env })).tracingEndpoint).toBe(expected);
  });

  it('refuses a collector that is no URL', async () => {
    const loading = loadSite({ workingDir, env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' } });
    await expect(loading).rejects.toThrow(ConfigurationError);
  });

  it('refuses a metrics address that is no address and port, before anything is started', async () => {
    await writeFile(path.join(workingDir, 'holdfast.config.yaml'), 'worker: { metricsAddress: "localhost:9464" }\n');
    await expect(loadSite({ workingDir, env: {} })).rejects.toThrow(/metricsAddress: .*an IP address and a port/);
  });
});
