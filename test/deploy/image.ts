import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { resolveFfmpeg } from '../../setup/ffmpeg.js';
import { repositoryRoot } from '../support/prepared.js';

const run = promisify(execFile);

/** One instruction of a Dockerfile: `COPY`, and the rest of its line. */
export interface Instruction {
  readonly name: string;
  readonly value: string;
}

/** The Dockerfile's stages in order, continued lines joined, comments left out. */
export async function dockerfileStages(): Promise<readonly (readonly Instruction[])[]> {
  const text = await readFile(path.join(repositoryRoot, 'Dockerfile'), 'utf8');
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n');
  const stages: Instruction[][] = [[]];
  for (const line of lines.map((each) => each.trim()).filter(Boolean)) {
    const [name = '', ...rest] = line.split(/\s+/);
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, value: rest.join(' ') });
  }
  return stages;
}

/**
 * What the image would hold, laid out below `directory` without Docker: the last stage's COPY lines as they stand, with
 * `npm run build` for the stage `build`, and for `dependencies` what `npm ci --omit=dev` would keep of what is installed.
 */
export async function layOutImage(directory: string): Promise<Image> {
  const last = (await dockerfileStages()).at(-1) ?? [];
  let workdir = '/';
  for (const { name, value } of last) {
    if (name === 'WORKDIR') workdir = value;
    if (name === 'COPY') await copy(value, path.join(directory, workdir));
  }
  // The base image's, which a user without rights could not reach where we have them.
  await link([await realpath(process.execPath)], path.join(directory, 'usr/local/bin'));
  await link([await realpath((await resolveFfmpeg()).path)], path.join(directory, 'usr/lib/ffmpeg'));
  const wordsOf = (wanted: string): string[] =>
    JSON.parse(last.find(({ name }) => name === wanted)?.value ?? '[]') as string[];
  return new Image(directory, [...wordsOf('ENTRYPOINT'), ...wordsOf('CMD')]);
}

async function copy(value: string, into: string): Promise<void> {
  const words = value.split(' ');
  const stage = /^--from=(.*)/.exec(words[0] ?? '')?.[1];
  const target = path.join(into, words.at(-1) ?? '');
  if (stage === 'build') return build(target);
  if (stage === 'dependencies') return copyDependencies(target);
  for (const source of words.slice(0, -1)) {
    const isInto = words.length > 2;
    const destination = isInto ? path.join(target, path.basename(source)) : target;
    await cp(path.join(repositoryRoot, source), destination, { recursive: true });
  }
}

/** Without the check of types, which others do: what is written is the same. */
async function build(dist: string): Promise<void> {
  const tsc = require.resolve('typescript/bin/tsc');
  await run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--noCheck', '--outDir', dist], {
    cwd: repositoryRoot,
  });
}

/** Hard links where they can be made: it is half a gigabyte. */
async function copyDependencies(target: string): Promise<void> {
  const lock = JSON.parse(await readFile(path.join(repositoryRoot, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
  };
  const kept = Object.entries(lock.packages)
    .filter(([place, { dev }]) => place.lastIndexOf('node_modules/') === 0 && dev !== true)
    .map(([place]) => path.join(repositoryRoot, place))
    .filter((place) => existsSync(place));
  const scopes = new Set(kept.map((place) => path.dirname(place)));
  for (const scope of scopes) {
    const into = path.join(target, path.relative(path.join(repositoryRoot, 'node_modules'), scope));
    const places = kept.filter((place) => path.dirname(place) === scope);
    await link(places, into);
  }
}

async function link(places: readonly string[], into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  await run('cp', ['-al', ...places, into]).catch(() => run('cp', ['-a', ...places, into]));
}

/** An image's content, and its command. */
export class Image {
  constructor(
    private readonly directory: string,
    private readonly command: readonly string[],
  ) {}

  /**
   * Runs what the image runs, as a user without rights where we may choose one. `args` stand in for CMD.
   * `tini` is left out, since it is not everywhere: it only passes signals on.
   */
  async start(
    place: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
    args?: string[],
  ): Promise<ImageProcess> {
    const [init, dashes, program, ...cmd] = this.command;
    if (init !== 'tini' || dashes !== '--' || program !== 'holdfast')
      throw new Error(`unknown: ${this.command.join(' ')}`);
    const launcher = path.join(this.directory, 'app', 'bin', 'holdfast.js');
    const programs = path.join(this.directory, 'usr/lib/ffmpeg');
    const [ffmpeg = ''] = await readdir(programs);
    const child = spawn(
      path.join(this.directory, 'usr/local/bin', path.basename(process.execPath)),
      [launcher, ...(args ?? cmd)],
      {
        cwd: place.cwd,
        env: { PATH: '/usr/bin:/bin', NODE_ENV: 'production', FFMPEG_PATH: path.join(programs, ffmpeg), ...place.env },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...unprivileged(),
      },
    );
    return new ImageProcess(child);
  }
}

/** The user `node` of the official images. Only root may become another. */
export function unprivileged(): { readonly uid?: number; readonly gid?: number } {
  return process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {};
}

export class ImageProcess {
  readonly exitCode: Promise<number | null>;
  private readonly said: string[] = [];

  constructor(private readonly child: ChildProcess) {
    this.exitCode = new Promise((resolve) => child.once('close', resolve));
  }

  /** Waits until it says so on any stream. @throws Error with all it said when it ends before */
  async says(words: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      for (const stream of [this.child.stdout, this.child.stderr]) {
        if (stream === null) continue;
        createInterface({ input: stream }).on('line', (line) => {
          this.said.push(line);
          if (line.includes(words)) resolve();
        });
      }
      void this.exitCode.then((code) => reject(new Error(`ended with ${code ?? 'a signal'}: ${this.said.join('\n')}`)));
    });
  }

  /** As `docker stop` does. */
  stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return this.exitCode;
  }
}
