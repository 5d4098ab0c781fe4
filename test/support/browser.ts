import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { chromium, type Browser } from 'playwright-core';
import { setupContext, type SetupContext } from '../../setup/context.js';
import { checkSha256, installDir, installOnce } from '../../setup/install.js';
import { notSet, resolveTool, type Finding, type Source } from '../../setup/resolve-tool.js';
import { runCommand } from '../../setup/run-command.js';

/** A Chromium, and what it needs to start. */
export interface Chromium {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const variable = 'CHROMIUM_PATH';

/** An npm package that carries a headless Chromium with the libraries it needs; the last version for Node 20. */
const carried = {
  package: '@sparticuz/chromium',
  version: '143.0.4',
  sha256: ['d69d6790c17a62b70dc3e8acfd774b6c1f780f229e5601f50264dbc434b5cf94'], // Linux x86-64
};
const carriedDir = `chromium-${carried.version}`;
const fetchLimitMs = 5 * 60_000;
const installLimitMs = 10 * 60_000;

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * A real browser: `CHROMIUM_PATH`, PATH, the cache, an npm package that carries one, else (as root on Debian) its
 * package. @throws {PartNotFoundError} when none is to be had, naming all that was tried
 */
export async function resolveBrowser(context: SetupContext = setupContext()): Promise<Chromium> {
  const { executablePath, env } = await resolveTool('Chromium', sources(context), context);
  return { executablePath, env };
}

/** Starts it without a window, with a profile of its own. */
export function launchBrowser({ executablePath, env }: Chromium): Promise<Browser> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return chromium.launch({
    executablePath,
    env: { ...(Object.fromEntries(inherited) as Record<string, string>), ...env },
    args: flags,
  });
}

function sources(context: SetupContext): Source<Chromium>[] {
  const named = context.env[variable];
  const cached = path.join(installDir(context, carriedDir), 'chromium');
  return [
    {
      name: variable,
      explicit: true,
      find: () => (named === undefined ? Promise.resolve(notSet) : found({ executablePath: named, env: {} })),
    },
    { name: 'PATH', find: () => onPath(context) },
    {
      name: 'cache',
      // It started when it was installed.
      find: () =>
        Promise.resolve(
          fs.existsSync(cached)
            ? { found: carriedAt(path.dirname(cached)) }
            : { missing: `not installed in ${context.cacheDir}` },
        ),
    },
    {
      name: `npm package ${carried.package} ${carried.version}`,
      find: async () => found(carriedAt(await installOnce(context, carriedDir, (dir) => fetchCarried(dir, context)))),
    },
    { name: 'Debian package chromium', find: () => installDebianPackage(context) },
  ];
}

/** It has been found when it starts. */
async function found(candidate: Chromium): Promise<Finding<Chromium>> {
  const browser = await launchBrowser(candidate);
  await browser.close();
  return { found: candidate };
}

async function onPath({ env }: SetupContext): Promise<Finding<Chromium>> {
  const dirs = (env['PATH'] ?? '').split(path.delimiter).filter(Boolean);
  const files = commands.flatMap((command) => dirs.map((dir) => path.join(dir, command)));
  const file = files.find((candidate) => fs.existsSync(candidate));
  return file === undefined ? { missing: `none of ${commands.join(', ')}` } : found({ executablePath: file, env: {} });
}

function carriedAt(dir: string): Chromium {
  return {
    executablePath: path.join(dir, 'chromium'),
    env: { LD_LIBRARY_PATH: path.join(dir, 'lib'), FONTCONFIG_FILE: path.join(dir, 'fonts.conf') },
  };
}

async function fetchCarried(dir: string, { env }: SetupContext): Promise<void> {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('made for Linux on x86-64 only');
  const options = { env, timeoutMs: fetchLimitMs, cwd: dir };
  await runCommand('npm', ['pack', '--silent', `${carried.package}@${carried.version}`], options);
  const archive = fs.readdirSync(dir).find((name) => name.endsWith('.tgz'));
  if (archive === undefined) throw new Error(`npm packed no ${carried.package}`);
  await checkSha256(path.join(dir, archive), carried.sha256);
  await runCommand('tar', ['xzf', archive], options);
  for (const name of ['chromium.br', 'al2023.tar.br', 'fonts.tar.br']) {
    const packed = fs.readFileSync(path.join(dir, 'package', 'bin', name));
    fs.writeFileSync(path.join(dir, path.basename(name, '.br')), brotliDecompressSync(packed));
  }
  for (const name of ['al2023.tar', 'fonts.tar']) {
    await runCommand('tar', ['xf', name, '--no-same-owner'], options);
    fs.rmSync(path.join(dir, name));
  }
  // Its own names places of another machine. Fonts of this one come first, where there are any.
  fs.writeFileSync(path.join(dir, 'fonts.conf'), fontSettings);
  fs.chmodSync(path.join(dir, 'chromium'), 0o755);
  fs.rmSync(path.join(dir, 'package'), { recursive: true });
  fs.rmSync(path.join(dir, archive));
}

const fontSettings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir prefix="relative">fonts</dir>
  <cachedir>${os.tmpdir()}/holdfast-fonts</cachedir>
</fontconfig>
`;

async function installDebianPackage(context: SetupContext): Promise<Finding<Chromium>> {
  if (process.getuid?.() !== 0) return { missing: 'only root can install packages' };
  const options = { env: { ...context.env, DEBIAN_FRONTEND: 'noninteractive' }, timeoutMs: installLimitMs };
  await runCommand('apt-get', ['update', '-qq'], options);
  await runCommand('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options);
  return onPath(context);
}
