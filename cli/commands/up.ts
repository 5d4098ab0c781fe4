import type { Command } from 'commander';
import { loadSite } from '../../workers/config.js';
import { commandLine } from '../command-word.js';
import { CommandError, usageError } from '../command-error.js';
import { isPortFree } from '../embedded-server.js';
import { startLocalSite, type LocalSite, type LocalSiteOptions } from '../local-site.js';
import { print, tell } from '../output.js';
import { SignalWait } from '../until-signal.js';

export interface UpOptions {
  readonly dataDir: string;
  readonly port: string;
  readonly uiPort: string;
  readonly modelsPort: string;
  readonly config?: string;
}

export const defaultDataDir = '.holdfast';

/** The options that say where a site of our own lives. */
export function addSiteOptions(command: Command): Command {
  return command
    .option('--data-dir <dir>', 'database and logs', defaultDataDir)
    .option('--port <n>', 'of the Temporal server', '7233')
    .option('--ui-port <n>', 'of the Web UI', '8233')
    .option('--models-port <n>', 'of the local model service', '8791');
}

export function addUpCommand(program: Command): void {
  const command = program.command('up').description('run server, Web UI, worker and local models until Ctrl-C');
  addSiteOptions(command)
    .option('--config <file>', 'the configuration file (default HOLDFAST_CONFIG, else holdfast.config.yaml)')
    .action(async (options: UpOptions) => up(options));
}

async function up(options: UpOptions): Promise<void> {
  const signal = new SignalWait();
  const ports = portsOf(options);
  if (!(await isPortFree(ports.modelsPort))) {
    throw new CommandError(`Port ${ports.modelsPort} is in use; choose another with --models-port.`);
  }
  const outside = await loadSite({ configFile: options.config });
  const site = await startLocalSite({ site: outside, dataDir: options.dataDir, ...ports, onNotice: tell });
  try {
    describe(site, { dataDir: options.dataDir, dialled: outside.temporal.address });
    const end = await Promise.race([signal.asked, site.failed]);
    if (end !== 'signal') throw new CommandError(`${end} Everything is stopped; batches go on with the next start.`);
    tell('Stopping ...');
  } finally {
    await site.stop();
    signal.dispose();
  }
}

function describe(
  { site, uiUrl, models }: LocalSite,
  { dataDir, dialled }: { readonly dataDir: string; readonly dialled: string },
): void {
  const { address } = site.temporal;
  print(
    [
      'Holdfast is up. Ctrl-C stops it; open batches go on with the next start.',
      `  Temporal      ${address}`,
      `  Web UI        ${uiUrl}`,
      `  Local models  ${models.url} (${models.models.join(', ')})`,
      `  Data          ${dataDir}`,
      `Next: ${commandLine('reprocess --feed <url|file>', { address, dialled })}`,
    ].join('\n'),
  );
}

type Ports = Pick<LocalSiteOptions, 'port' | 'uiPort' | 'modelsPort'>;

/** The ports of a site, each its own. @throws {CommandError} (usage) */
export function portsOf(options: Pick<UpOptions, keyof Ports>): Ports {
  const port = portOf('--port', options.port);
  const uiPort = portOf('--ui-port', options.uiPort);
  const modelsPort = portOf('--models-port', options.modelsPort);
  const isShared = new Set([port, uiPort, modelsPort]).size < 3;
  const got = `got ${port}, ${uiPort} and ${modelsPort}`;
  if (isShared) throw usageError([`--port, --ui-port and --models-port: ${got}, allowed: three different ports`]);
  return { port, uiPort, modelsPort };
}

function portOf(flag: string, text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw usageError([`${flag}: got "${text}", allowed: 1..65535`]);
}
