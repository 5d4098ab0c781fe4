import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { repositoryRoot } from './prepared.js';

const launcher = path.join(repositoryRoot, 'bin', 'holdfast.js');

export interface Ran {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface HoldfastPlace {
  /** Working directory. */
  readonly cwd: string;
  /** Over the environment of the tests, which names no Temporal server. */
  readonly env?: Readonly<Record<string, string>>;
}

function environment({ env }: HoldfastPlace): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(TEMPORAL_(?!CLI|TEST)|HOLDFAST_CONFIG)/.test(name));
  return { ...Object.fromEntries(own), ...env };
}

/** Runs a program to its end. */
export async function run(command: readonly string[], place: HoldfastPlace): Promise<Ran> {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { cwd: place.cwd, env: environment(place), stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const exitCode = await exitOf(child);
  return { exitCode, stdout, stderr };
}

/** Runs the command line as a user does. */
export function holdfast(args: readonly string[], place: HoldfastPlace): Promise<Ran> {
  return run([process.execPath, launcher, ...args], place);
}

export interface Background {
  readonly pid: number;
  /** All that it has printed so far. */
  said(): string;
  /** Ctrl-C under npm: the terminal's goes to the whole group, and npm passes it on once more. */
  interrupt(): Promise<number | null>;
}

/** `holdfast up` in the background; resolves when it has said what to do next. */
export function startUp(args: readonly string[], place: HoldfastPlace): Promise<Background> {
  return startInBackground(['up', ...args], /^Next: .*\n/m, place);
}

/** A command in the background; resolves when it has printed what `until` matches. */
export async function startInBackground(
  args: readonly string[],
  until: RegExp,
  place: HoldfastPlace,
): Promise<Background> {
  const child = spawn(process.execPath, [launcher, ...args], {
    cwd: place.cwd,
    env: environment(place),
    detached: true, // a group of its own, as a shell's job has
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pid = child.pid ?? 0;
  const ended = exitOf(child);
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString();
      if (until.test(said)) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    void ended.then((code) => reject(new Error(`holdfast ${args.join(' ')} ended with ${code}:\n${said}`)));
  });
  return {
    pid,
    said: () => said,
    interrupt: () => {
      if (child.exitCode === null) {
        process.kill(-pid, 'SIGINT');
        child.kill('SIGINT');
      }
      return ended;
    },
  };
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
}
