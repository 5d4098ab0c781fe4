import fs from 'node:fs';
import path from 'node:path';
import { environmentVariables, setupContext, type SetupContext } from './context.js';
import { executableSources, type Executable, type ExecutableSpec } from './executable.js';
import { installOnce } from './install.js';
import { resolveTool, type Resolved, type Source } from './resolve-tool.js';
import { runCommand } from './run-command.js';

const verifyTimeoutMs = 30_000;
const npmTimeoutMs = 10 * 60_000;
const npmVersions: Readonly<Record<string, string>> = {
  'darwin-arm64': '4.1.5',
  'darwin-x64': '4.1.0',
  'linux-arm64': '4.1.4',
  'linux-x64': '4.1.0',
  'win32-x64': '4.1.0',
};

const ffmpeg: ExecutableSpec = {
  command: 'ffmpeg',
  variable: environmentVariables.ffmpeg,
  wheel: {
    package: 'imageio-ffmpeg',
    version: '0.8.1',
    sha256: [
      '050d6850601c3b3890bd2b28306f3b842b3daea390a561101174375a1c460bda', // Linux x86-64; run here
      '9538a10e598257263b5de1a1c1b86e7603417bc219245b1e279b452e5e48cc20', // macOS x86-64; not run
      'f27ca4cb85e2d4946deedbce1a81245dfd942a2bcf94b53676fb3956aa95bf1b', // Windows x86-64; not run
    ],
    member: /^imageio_ffmpeg\/binaries\/ffmpeg-/,
  },
  verify: async (file, context) => {
    const output = await runCommand(file, ['-version'], { env: context.env, timeoutMs: verifyTimeoutMs });
    const version = /^ffmpeg version (\S+)/.exec(output)?.[1];
    if (version === undefined) throw new Error(`${file} -version does not answer as ffmpeg does`);
    return version;
  },
};

/** ffmpeg: `FFMPEG_PATH`, PATH, cache, Python wheel, npm package (an old build). @throws {PartNotFoundError} */
export function resolveFfmpeg(context: SetupContext = setupContext()): Promise<Resolved<Executable>> {
  return resolveTool('ffmpeg', [...executableSources(ffmpeg, context), npmPackage(context)], context);
}

/** The machines that neither PATH nor a wheel serves (macOS arm64, no Python) still have npm, or they would not be here. */
function npmPackage(context: SetupContext): Source<Executable> {
  const platform = `${process.platform}-${process.arch}`;
  const version = npmVersions[platform];
  const name = `@ffmpeg-installer/${platform}@${version ?? '?'}`;
  return {
    name: `npm package ${name}`,
    find: async () => {
      if (version === undefined) return { missing: `there is none for ${platform}` };
      const dir = await installOnce(context, `ffmpeg-installer-${platform}-${version}`, (staging) =>
        packAndUnpack(name, staging, context),
      );
      const file = path.join(dir, 'package', process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg');
      await fs.promises.chmod(file, 0o755);
      return { found: { kind: 'executable', path: file, version: await ffmpeg.verify(file, context) } };
    },
  };
}

/** npm checks the package against the registry's own integrity digest. */
async function packAndUnpack(name: string, dir: string, context: SetupContext): Promise<void> {
  const options = { env: context.env, timeoutMs: npmTimeoutMs, cwd: dir };
  await runCommand('npm', ['pack', '--silent', '--pack-destination', dir, name], options);
  const tarball = fs.readdirSync(dir).find((file) => file.endsWith('.tgz'));
  if (tarball === undefined) throw new Error(`npm packed nothing for ${name}`);
  await runCommand('tar', ['-xzf', tarball], options);
  await fs.promises.rm(path.join(dir, tarball));
}
