import path from 'node:path';
import type { Client } from '@temporalio/client';
import { createActivities, type Activities } from '../activities/index.js';
import { createLogAlerts, createSentryAlerts, type AlertLog } from '../activities/endpoint/sentry-alerts.js';
import type { RaiseAlert } from '../activities/endpoint/alerts.js';
import { shippedProfilesDir } from '../activities/plan/profile-files.js';
import type { PreflightDependencies } from '../activities/plan/preflight.js';
import type { PlanDependencies } from '../activities/plan/resolve-run-plan.js';
import { fileChunkStore } from '../activities/providers/chunk-store.js';
import { ffmpegChunks } from '../activities/providers/ffmpeg-chunks.js';
import { createProviderClients } from '../activities/providers/index.js';
import { createFileArtifactStore } from '../activities/store/file-artifact-store.js';
import { extractiveClient } from '../activities/text/extractive-client.js';
import { setupContext } from '../setup/context.js';
import { resolveFfmpeg } from '../setup/ffmpeg.js';
import type { Site } from './config.js';
import { logLine } from './log.js';

/** Beside the site: what only the process that starts the workers knows. */
export interface Surroundings {
  readonly client: Client;
  /** Base URL of the local model service, where one was started. */
  readonly localModelsUrl?: string | undefined;
}

/** The activities of a site with everything they need of the world: real clients, real files, real alerts. */
export function assembleActivities(site: Site, { client, localModelsUrl }: Surroundings): Activities {
  const ffmpegPath = createFfmpegPath(site);
  const plan = planDependencies(site, localModelsUrl);
  return createActivities({
    ...preflightDependencies(site, ffmpegPath),
    client,
    endpointsTaskQueue: site.queues.endpoints,
    store: createFileArtifactStore,
    nowMs: Date.now,
    random: Math.random,
    ffmpegPath,
    plan: () => Promise.resolve(plan),
    raiseAlert: createAlerts(site),
    onViolation: (violation) => {
      logLine('warn', 'invalid answer of a language model', { ...violation });
    },
  });
}

/** What the examination of a plan needs: the clients, and the keys by the names of their variables. */
export function preflightDependencies(
  site: Site,
  ffmpegPath: () => Promise<string> = createFfmpegPath(site),
): PreflightDependencies {
  const cut: ReturnType<typeof ffmpegChunks>['cut'] = async (audio, request, use) =>
    ffmpegChunks(await ffmpegPath()).cut(audio, request, use);
  // On disk, so that a retry after a killed worker goes on with the chunk that was not finished.
  const store = fileChunkStore(path.join(site.workingDir, '.holdfast', 'chunks'));
  return {
    clients: { ...createProviderClients({ cut, store }), 'local-extractive': extractiveClient },
    apiKey: (variable) => site.env[variable],
  };
}

export function planDependencies(site: Site, localModelsUrl?: string): PlanDependencies {
  return {
    profilesDir: shippedProfilesDir(),
    workingDir: site.workingDir,
    site: site.config,
    dgxHost: site.dgxHost,
    localUrls: localModelsUrl === undefined ? undefined : localUrls(localModelsUrl),
  };
}

/** One service, two endpoints: each model has its own queue and circuit. */
function localUrls(baseUrl: string): Readonly<Record<string, string>> {
  return { 'local-whisper': `${baseUrl}/v1`, 'local-diarizer': baseUrl };
}

/** Found when the first episode needs it; a search that failed is made again with the next. */
function createFfmpegPath(site: Site): () => Promise<string> {
  let found: Promise<string> | undefined;
  return () => {
    found ??= resolveFfmpeg(setupContext(site.env)).then(
      (ffmpeg) => path.resolve(ffmpeg.path),
      (error: unknown) => {
        found = undefined;
        throw error;
      },
    );
    return found;
  };
}

function createAlerts({ config, sentryDsn }: Site): RaiseAlert {
  const log: AlertLog = {
    alert: ({ level, text, tags }) => {
      logLine(level === 'warning' ? 'warn' : level, text, { ...tags });
    },
    failed: ({ text }, why) => {
      logLine('warn', 'an alert was not delivered', { alert: text, why });
    },
  };
  if (sentryDsn === undefined) return createLogAlerts(log);
  const environment = config.sentry?.environment;
  return createSentryAlerts({ dsn: sentryDsn, ...(environment === undefined ? {} : { environment }) }, log);
}
