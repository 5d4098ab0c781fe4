import type { Command } from 'commander';
import { setupContext } from '../../setup/context.js';
import { resolveAll, type Parts } from '../../setup/resolve-all.js';
import { loadSite, type Site } from '../../workers/config.js';
import { registerSearchAttributes } from '../../workers/search-attributes.js';
import { CommandError } from '../command-error.js';
import { commandWord } from '../command-word.js';
import { withClient } from '../connect.js';
import { sayStep } from '../local-site.js';
import { print, table, tell } from '../output.js';

export function addSetupCommand(program: Command): void {
  program
    .command('setup')
    .description('find or install every external part; register the search attributes where a server answers')
    .option('--search-attributes', 'only register the search attributes; fails where no server answers')
    .action(async (options: { searchAttributes?: boolean }) => setup(options));
}

async function setup({ searchAttributes }: { searchAttributes?: boolean }): Promise<void> {
  const site = await loadSite();
  if (searchAttributes === true) {
    print(await register(site));
    return;
  }
  print(describeParts(await resolveAll(setupContext(site.env, sayStep(tell)))));
  print(await registerWhereAnswered(site));
}

function describeParts(parts: Parts): string {
  const { temporalCli, testServer, ffmpeg, whisperModel, speakerModels } = parts;
  const placeOf = (program: typeof temporalCli): string =>
    program.kind === 'executable' ? `${program.path} (${program.version})` : 'downloaded by the SDK when first used';
  return table([
    ['Temporal CLI', placeOf(temporalCli)],
    ['Temporal test server', placeOf(testServer)],
    ['ffmpeg', `${ffmpeg.path} (${ffmpeg.version})`],
    ['Whisper model', whisperModel.path],
    ['Speaker segmentation', speakerModels.segmentation.path],
    ['Speaker embedding', speakerModels.embedding.path],
  ]);
}

/** @throws {CommandError} where no server answers */
async function register(site: Site): Promise<string> {
  const { address, namespace } = site.temporal;
  const added = await withClient(site, ({ client }) => registerSearchAttributes(client.connection, namespace));
  if (added.length === 0) return `Search attributes: all registered at ${address}, namespace ${namespace}.`;
  return `Search attributes registered at ${address}, namespace ${namespace}: ${added.join(', ')}.`;
}

/** No server is no fault: `holdfast up` registers them in its own. */
async function registerWhereAnswered(site: Site): Promise<string> {
  try {
    return await register(site);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const help = `run this again where one does (\`${commandWord()} up\` needs no such step)`;
    return `Search attributes: no server answers at ${site.temporal.address}; ${help}.`;
  }
}
