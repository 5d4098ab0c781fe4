import type { Command } from 'commander';
import { setupContext } from '../../setup/context.js';
import { resolveAll, type Parts } from '../../setup/resolve-all.js';
import { loadSite, type Site } from '../../workers/config.js';
import { registerSearchAttributes } from '../../workers/search-attributes.js';
import { CommandError } from '../command-error.js';
import { withClient } from '../connect.js';
import { sayStep } from '../local-site.js';
import { print, table, tell } from '../output.js';

export function addSetupCommand(program: Command): void {
  program
    .command('setup')
    .description('find or install every external part; register the search attributes where a server answers')
    .action(setup);
}

async function setup(): Promise<void> {
  const site = await loadSite();
  print(describeParts(await resolveAll(setupContext(site.env, sayStep(tell)))));
  print(await register(site));
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

/** No server is no fault: `holdfast up` registers them in its own. */
async function register(site: Site): Promise<string> {
  const { address, namespace } = site.temporal;
  try {
    const added = await withClient(site, ({ client }) => registerSearchAttributes(client.connection, namespace));
    if (added.length === 0) return `Search attributes: all registered at ${address}, namespace ${namespace}.`;
    return `Search attributes registered at ${address}, namespace ${namespace}: ${added.join(', ')}.`;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return `Search attributes: no server answers at ${address}; run this again where one does (\`holdfast up\` needs no such step).`;
  }
}
