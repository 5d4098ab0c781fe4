import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import {
  checkProfileFiles,
  listProfiles,
  materializeProfiles,
  shippedProfilesDir,
} from '../../activities/plan/profile-files.js';
import { describeDrift } from '../../src/profile.js';
import { findPreset, unknownProfile } from '../../src/presets.js';
import { exitCodes, usageError } from '../command-error.js';
import { count, print, table } from '../output.js';

export function addProfilesCommand(program: Command): void {
  const profiles = program.command('profiles').description('the shipped profiles');
  profiles.command('list').description('names, and what each is for').action(list);
  profiles.command('show').description("a profile's file").argument('<name>', 'the profile').action(show);
  withDirectory(profiles.command('materialize').description('write every profile from the registry')).action(
    materialize,
  );
  withDirectory(profiles.command('check').description('compare the files with the registry, field by field')).action(
    check,
  );
}

interface DirectoryOption {
  readonly dir: string;
}

function withDirectory(command: Command): Command {
  return command.option('--dir <dir>', 'where the files are', shippedProfilesDir());
}

async function list(): Promise<void> {
  const names = await listProfiles(shippedProfilesDir());
  print(table(names.map((name) => [name, findPreset(name)?.description ?? ''])));
}

async function show(name: string): Promise<void> {
  const directory = shippedProfilesDir();
  const known = await listProfiles(directory);
  if (!known.includes(name)) {
    throw usageError([unknownProfile(name, known)]);
  }
  print((await readFile(path.join(directory, `${name}.yaml`), 'utf8')).trimEnd());
}

async function materialize({ dir }: DirectoryOption): Promise<void> {
  const files = await materializeProfiles(path.resolve(dir));
  print(`${count(files.length, 'profile')} written to ${dir}.`);
}

async function check({ dir }: DirectoryOption): Promise<void> {
  const drifts = await checkProfileFiles(path.resolve(dir));
  for (const drift of drifts) print(describeDrift(drift));
  if (drifts.length > 0) process.exitCode = exitCodes.failed;
  else print('The profiles agree with the registry.');
}
