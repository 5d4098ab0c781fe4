import { MockActivityEnvironment } from '@temporalio/testing';
import { createPreflight, examinePlan } from '../../../activities/plan/preflight.js';
import type { PreflightDependencies, PreflightReport, TierState } from '../../../activities/plan/preflight.js';
import { openAiTranscription } from '../../../activities/providers/openai-transcription.js';
import { pyannote } from '../../../activities/providers/pyannote.js';
import { findOption } from '../../../src/model-registry.js';
import type { RunPlan } from '../../../src/run-plan.js';
import { plan } from '../../support/plan.js';
import { startStub } from '../../support/stub/stub.js';
import type { Stub } from '../../support/stub/stub.js';

const turbo = findOption('tailnet_dgx_whisper_turbo')?.model ?? '';
const community1 = findOption('tailnet_dgx_diarization_community1')?.model ?? '';

let stub: Stub;
beforeEach(async () => {
  stub = await startStub({
    endpoints: { asr: { shape: 'speaches', model: turbo }, diarizer: { shape: 'pyannote', model: community1 } },
  });
});
afterEach(() => stub.close());

const deps: PreflightDependencies = {
  clients: { 'openai-transcription': openAiTranscription, pyannote },
  apiKey: () => undefined,
};
const noText = { summary_enabled: false, gi_enabled: false, kg_enabled: false };

function stubbed(profile: string, overrides: Record<string, unknown> = noText): RunPlan {
  const endpoints = {
    'dgx-speaches': { url: stub.endpoint('asr').url },
    'dgx-pyannote': { url: stub.endpoint('diarizer').url },
  };
  return plan({ profile, config: { endpoints }, overrides });
}

function examine(run: RunPlan, given = deps): Promise<PreflightReport> {
  return examinePlan({ plan: run, deps: given, cancellation: new AbortController().signal });
}

function states(report: PreflightReport): Record<string, TierState> {
  return Object.fromEntries(report.findings.map((finding) => [finding.optionId, finding.state]));
}

describe('examinePlan', () => {
  it('finds every tier ready and has nothing to say', async () => {
    const report = await examine(stubbed('reprocess_dgx_turbo'));
    expect(states(report)).toEqual({
      tailnet_dgx_whisper_turbo: 'ready',
      tailnet_dgx_diarization_community1: 'ready',
    });
    expect(report).toMatchObject({ problems: [], notes: [] });
  });

  it('refuses a chosen tier whose server serves another model, naming both', async () => {
    stub.endpoint('asr').model = 'Systran/other';
    const { problems } = await examine(stubbed('reprocess_dgx_turbo'));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`expected model "${turbo}", the server serves "Systran/other"`);
  });

  it('notes an unreachable chosen tier under hold: the run waits for it', async () => {
    const run = stubbed('reprocess_dgx_turbo');
    await stub.endpoint('diarizer').close();
    const { problems, notes } = await examine(run);
    expect(problems).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/^diarize: .*nothing answers.*the run will hold/)]);
  });

  it('tells all reasons at once', async () => {
    stub.endpoint('asr').model = 'a';
    stub.endpoint('diarizer').model = 'b';
    expect((await examine(stubbed('reprocess_dgx_turbo'))).problems).toHaveLength(2);
  });

  it('is no error of a fallback that its key is missing', async () => {
    const overrides = { ...noText, transcription_fallback: 'openai_whisper_1' };
    const report = await examine(stubbed('prod_dgx_full', overrides));
    expect(states(report)['openai_whisper_1']).toBe('keyMissing');
    expect(report.problems).toEqual([]);
    expect(report.notes).toContainEqual(expect.stringMatching(/set OPENAI_API_KEY.*skipped when its turn comes/));
  });

  it('refuses a chosen tier whose key is missing', async () => {
    const { problems } = await examine(stubbed('reprocess_v22_community1'));
    expect(problems).toEqual([expect.stringContaining('no key: set OPENAI_API_KEY')]);
  });

  it('refuses a chosen tier that no client of this worker speaks to', async () => {
    const { problems } = await examine(stubbed('reprocess_dgx_turbo'), { ...deps, clients: { pyannote } });
    expect(problems).toEqual([expect.stringContaining('no client for wire shape openai-transcription')]);
  });

  it('examines a tier once that several stages share', async () => {
    const report = await examine(plan({ profile: 'local' }));
    expect(report.findings).toContainEqual(
      expect.objectContaining({ optionId: 'local_extractive', stages: ['summarize', 'gi', 'kg'], state: 'ready' }),
    );
  });

  it('passes cancellation on', async () => {
    const reason = new Error('cancelled');
    const examined = examinePlan({
      plan: stubbed('reprocess_dgx_turbo'),
      deps,
      cancellation: AbortSignal.abort(reason),
    });
    await expect(examined).rejects.toBe(reason);
  });
});

describe('createPreflight', () => {
  it('gives its notes, or fails as Misconfigured with every reason', async () => {
    const environment = new MockActivityEnvironment();
    const preflight = createPreflight(deps);
    const run = stubbed('reprocess_dgx_turbo');
    expect(await environment.run(preflight, { plan: run })).toEqual({ notes: [] });
    stub.endpoint('asr').model = 'other';
    await expect(environment.run(preflight, { plan: run })).rejects.toMatchObject({
      type: 'Misconfigured',
      nonRetryable: true,
    });
  });
});
