import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Document, isPair, isScalar, isSeq, visit } from 'yaml';
import { checkProfiles, profileFields } from '../../src/profile.js';
import type { ProfileDrift, ProfileFields } from '../../src/profile.js';
import { presets } from '../../src/presets.js';
import { makeDirectory } from '../store/make-directory.js';
import { readYaml } from './read-yaml.js';

/** What a field means where the registry leaves it to others. */
const nullComments: Readonly<Record<string, string>> = {
  resilience_failure_strategy: 'by the run context: hold in reprocess, failover in serve',
  resilience_retries_before_trip: "the strategy's: hold 3; failover 2, LLM 3",
  resilience_backoff_schedule_sec: "the strategy's: hold 30, 60, 120; failover 5, 10, LLM 1, 2, 4 ... 30",
  resilience_per_episode_max_wait_sec: 'derived: deadline x attempts + waits',
  resilience_on_open_max_wait_sec: '900',
  resilience_probe_interval_sec: "the endpoint's: 30",
  transcript_cache_enabled: 'by the run context: false in reprocess, true in serve',
};

const header =
  ' Written by `holdfast profiles materialize` from the registry; `holdfast profiles check` fails on drift.';

/**
 * Directory of the shipped profiles, found from this file upwards (sources and build lie at different depths); the
 * working directory's where there is none.
 */
export function shippedProfilesDir(): string {
  for (let directory = __dirname; path.dirname(directory) !== directory; directory = path.dirname(directory)) {
    const candidate = path.join(directory, 'profiles');
    if (existsSync(path.join(directory, 'package.json')) && existsSync(candidate)) return candidate;
  }
  return path.resolve('profiles');
}

/** A profile's YAML text; the same fields always give the same text. */
export function renderProfile(fields: ProfileFields): string {
  const document = new Document(fields);
  document.commentBefore = header;
  visit(document, {
    Pair: (_, pair) => {
      if (isSeq(pair.value)) pair.value.flow = true;
      if (!isPair(pair) || !isScalar(pair.key) || !isScalar(pair.value) || pair.value.value !== null) return;
      const comment = nullComments[String(pair.key.value)];
      if (comment !== undefined) pair.value.comment = ` ${comment}`;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** Writes every shipped profile; gives the files' paths. */
export async function materializeProfiles(directory: string): Promise<string[]> {
  await makeDirectory(directory);
  return Promise.all(
    presets.map(async (preset) => {
      const file = path.join(directory, `${preset.name}.yaml`);
      await writeFile(file, renderProfile(profileFields(preset)));
      return file;
    }),
  );
}

/** Names of the profiles in a directory, sorted; none when there is no directory. */
export async function listProfiles(directory: string): Promise<string[]> {
  const entries = existsSync(directory) ? await readdir(directory) : [];
  return entries
    .filter((entry) => entry.endsWith('.yaml'))
    .map((entry) => entry.slice(0, -'.yaml'.length))
    .sort();
}

/** Every difference between the profile files and the registry, field by field; empty when they agree. */
export async function checkProfileFiles(directory: string): Promise<ProfileDrift[]> {
  const names = await listProfiles(directory);
  const files = await Promise.all(
    names.map(async (name): Promise<[string, unknown]> => {
      const yaml = await readYaml(path.join(directory, `${name}.yaml`));
      return [name, 'faults' in yaml ? yaml.faults.join('; ') : yaml.content];
    }),
  );
  return checkProfiles(Object.fromEntries(files));
}
