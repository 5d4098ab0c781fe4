import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  checkProfileFiles,
  listProfiles,
  materializeProfiles,
  shippedProfilesDir,
} from '../../../activities/plan/profile-files.js';
import { presetNames } from '../../../src/presets.js';
import { describeDrift } from '../../../src/profile.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'profiles-'));
});
afterEach(() => rm(directory, { recursive: true }));

async function edit(profile: string, from: string, to: string): Promise<string[]> {
  const file = path.join(directory, `${profile}.yaml`);
  const text = await readFile(file, 'utf8');
  expect(text).toContain(from);
  await writeFile(file, text.replace(from, to));
  return (await checkProfileFiles(directory)).map(describeDrift);
}

describe('materializeProfiles', () => {
  it('writes a file for every profile of the registry, and nothing drifts', async () => {
    await materializeProfiles(directory);
    expect(await listProfiles(directory)).toEqual([...presetNames].sort());
    expect(await checkProfileFiles(directory)).toEqual([]);
  });

  it('writes what the repository ships, byte for byte', async () => {
    await materializeProfiles(directory);
    for (const file of await readdir(directory)) {
      const shipped = await readFile(path.join(shippedProfilesDir(), file), 'utf8');
      expect(await readFile(path.join(directory, file), 'utf8')).toBe(shipped);
    }
  });
});

describe('checkProfileFiles', () => {
  it('is clean for the shipped profiles', async () => {
    expect(await checkProfileFiles(shippedProfilesDir())).toEqual([]);
  });

  it.each([
    ['reprocess_v23_turbo', 'strategy: hold', 'strategy: hild', 'resilience_failure_strategy'],
    [
      'reprocess_v23_turbo',
      'transcript_cache_enabled: false',
      'transcript_cache_enabled: true',
      'transcript_cache_enabled',
    ],
    [
      'local',
      'resilience_retries_before_trip: null',
      'resilience_retries_before_trip: 2',
      'resilience_retries_before_trip',
    ],
    [
      'prod_dgx_full',
      '[tailnet_dgx_whisper, whisper]',
      '[tailnet_dgx_whisper, whispers]',
      'transcription_fallback_providers',
    ],
    ['airgapped', 'local_whisper_medium_en', 'local_whisper_mediun_en', 'transcription'],
    ['cloud_balanced', '64, 120]', '64, 121]', 'llm_resilience_backoff_schedule_sec'],
  ])('names profile %s and the field after one changed word', async (...[profile, from, to, field]) => {
    await materializeProfiles(directory);
    const drifts = await edit(profile, from, to);
    expect(drifts).toHaveLength(1);
    expect(drifts[0]).toMatch(new RegExp(`^${profile}: ${field}: the registry says`));
  });

  it('tells a file that is no longer YAML', async () => {
    await materializeProfiles(directory);
    expect((await edit('local', 'profile: local', 'profile: [local'))[0]).toContain('not valid YAML');
  });

  it('tells a missing file', async () => {
    await materializeProfiles(directory);
    await rm(path.join(directory, 'dev.yaml'));
    expect((await checkProfileFiles(directory)).map(describeDrift)).toEqual(['dev: the file is missing']);
  });
});
