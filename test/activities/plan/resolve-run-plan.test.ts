import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ApplicationFailure } from '@temporalio/common';
import { shippedProfilesDir } from '../../../activities/plan/profile-files.js';
import { createResolveRunPlan, planOf } from '../../../activities/plan/resolve-run-plan.js';
import type { PlanDependencies } from '../../../activities/plan/resolve-run-plan.js';
import type { BatchInput } from '../../../src/batch.js';
import { parseConfig } from '../../../src/config.js';
import { presetNames } from '../../../src/presets.js';
import { PlanRefused } from '../../../src/resolve-plan.js';
import type { RunPlan } from '../../../src/run-plan.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'plan-'));
});
afterEach(() => rm(directory, { recursive: true }));

type Choice = Pick<BatchInput, 'profile' | 'config' | 'overrides' | 'corpusDir'>;

function resolve(input: Choice, given: Partial<PlanDependencies> = {}): Promise<RunPlan> {
  const deps = { profilesDir: shippedProfilesDir(), workingDir: directory, dgxHost: 'box', ...given };
  return planOf({ request: { batchId: 'b1', input }, deps });
}

async function outcome(planned: Promise<RunPlan>): Promise<unknown> {
  try {
    return await planned;
  } catch (error) {
    if (error instanceof PlanRefused) return { refused: error.faults };
    throw error;
  }
}

async function writeConfig(text: string, name = 'holdfast.config.yaml'): Promise<string> {
  await writeFile(path.join(directory, name), text);
  return name;
}

describe('planOf', () => {
  it.each(presetNames)('resolves %s to one plan by name, by file, and by workflow input', async (profile) => {
    const byName = await outcome(resolve({ profile }));
    expect(await outcome(resolve({ config: path.join(shippedProfilesDir(), `${profile}.yaml`) }))).toEqual(byName);
    const site = parseConfig({ profile }, 'site').config;
    expect(await outcome(resolve({}, { site }))).toEqual(byName);
    expect(await outcome(resolve({ profile, overrides: {} }))).toEqual(byName);
  });

  it('resolves local to one plan by name and by file also where an LLM is configured', async () => {
    const site = parseConfig({ endpoints: { 'local-ollama': { model: 'm' } } }, 'site').config;
    const byName = await resolve({ profile: 'local' }, { site });
    expect(byName.stages.kg.chain[0]?.optionId).toBe('local_ollama');
    const config = path.join(shippedProfilesDir(), 'local.yaml');
    expect(await resolve({ config }, { site })).toEqual(byName);
  });

  it('starts from local where nothing is named, below the working directory', async () => {
    const plan = await resolve({});
    expect(plan).toMatchObject({ profile: 'local', corpusDir: path.join(directory, 'corpus') });
  });

  it('lays overrides over the file over the profile', async () => {
    const config = await writeConfig(
      'profile: prod_dgx_full\nresilience_retries_before_trip: 4\nresilience_on_open_max_wait_sec: 5\nstore: {corpusDir: out}\n',
    );
    const plan = await resolve({ config, overrides: { resilience_retries_before_trip: '7' } });
    expect(plan).toMatchObject({ profile: 'prod_dgx_full', corpusDir: path.join(directory, 'out') });
    expect(plan.stages.transcribe.chain[0]?.policy).toMatchObject({ retriesBeforeTrip: 7, onOpenMaxWaitSec: 5 });
  });

  it("goes by the file's name where the file names no profile", async () => {
    const config = await writeConfig('resilience_retries_before_trip: 1\n', 'night.yaml');
    expect((await resolve({ config })).profile).toBe('night');
  });

  it("keeps the site's endpoints under a run's own configuration", async () => {
    const site = parseConfig({ endpoints: { 'local-whisper': { capacity: 2 } } }, 'site').config;
    const config = await writeConfig('endpoints: {local-whisper: {url: "http://127.0.0.1:9"}}\n');
    const { endpoints } = await resolve({ config }, { site });
    expect(endpoints['local-whisper']).toMatchObject({ capacity: 2, probe: { url: 'http://127.0.0.1:9' } });
  });

  it('refuses a reprocess file that serves without saying that it fails over', async () => {
    const config = await writeConfig('resilience_run_context: serve\n', 'reprocess_mine.yaml');
    expect(await outcome(resolve({ config }))).toEqual({
      refused: [expect.stringContaining('"reprocess_mine" resolves to failover without saying so')],
    });
  });

  it.each<[string, Choice, string]>([
    ['an unknown profile', { profile: 'lokal' }, 'unknown profile "lokal"; did you mean "local"?'],
    ['a path for a profile', { profile: '../package' }, 'unknown profile "../package"'],
    ['a file that is not there', { config: 'none.yaml' }, 'none.yaml: cannot be read (ENOENT)'],
    ['profile and config together', { profile: 'local', config: 'none.yaml' }, 'give profile or config, not both'],
  ])('refuses %s', async (_what, input, fault) => {
    await expect(resolve(input)).rejects.toThrow(fault);
  });

  it('tells the faults of file, profile and overrides at once', async () => {
    const config = await writeConfig('nonsense: 1\nresilience_jitter: 3\ntranscription: whisper_tiny\n');
    const refused = await outcome(resolve({ config, overrides: { resilience_retry: 1 } }));
    expect(refused).toEqual({
      refused: expect.arrayContaining([
        expect.stringContaining('unknown field "nonsense"'),
        expect.stringContaining('resilience_jitter: got 3'),
        expect.stringContaining('transcription: unknown option "whisper_tiny"'),
        expect.stringContaining('overrides: unknown knob "resilience_retry"'),
      ]) as unknown,
    });
  });

  it('refuses a key given twice in a file', async () => {
    const config = await writeConfig('resilience_jitter: 0\nresilience_jitter: 1\n');
    await expect(resolve({ config })).rejects.toThrow(/not valid YAML.*unique/);
  });
});

describe('createResolveRunPlan', () => {
  it('fails as InvalidInput, never retried, with every fault', async () => {
    const activity = createResolveRunPlan({ profilesDir: shippedProfilesDir(), workingDir: directory });
    const input: BatchInput = { source: { feed: 'f.xml' }, overrides: { resilience_jitter: 9, nonsense: 1 } };
    const failure: unknown = await activity({ batchId: 'b1', input }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({ type: 'InvalidInput', nonRetryable: true });
    expect((failure as ApplicationFailure).message).toMatch(/resilience_jitter.*nonsense/s);
  });
});
