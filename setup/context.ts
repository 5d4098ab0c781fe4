import fs from 'node:fs';
import path from 'node:path';

/** Names of the environment variables that the set-up reads; nothing else of it looks at the environment. */
export const environmentVariables = {
  cacheDir: 'HOLDFAST_CACHE_DIR',
  temporalCli: 'TEMPORAL_CLI_PATH',
  testServer: 'TEMPORAL_TEST_SERVER_PATH',
  ffmpeg: 'FFMPEG_PATH',
  whisperModel: 'HOLDFAST_WHISPER_MODEL',
  segmentationModel: 'HOLDFAST_SEGMENTATION_MODEL',
  embeddingModel: 'HOLDFAST_EMBEDDING_MODEL',
} as const;

export type Environment = Readonly<Record<string, string | undefined>>;

/** A step of the search for one part, as it happens: for progress lines. */
export interface SetupStep {
  readonly part: string;
  readonly source: string;
  readonly state: 'trying' | 'found' | 'missing';
  readonly detail: string;
}

/** Where the set-up looks and installs. */
export interface SetupContext {
  readonly env: Environment;
  /** Everything fetched goes below it; default `.cache/` in the project. */
  readonly cacheDir: string;
  readonly onStep?: (step: SetupStep) => void;
}

/** The folder of the nearest package.json above this file: the project, whether run from its sources or from its build. */
export function projectRoot(from: string = __dirname): string {
  if (fs.existsSync(path.join(from, 'package.json'))) return from;
  const parent = path.dirname(from);
  if (parent === from) throw new Error(`No package.json at or above ${__dirname}; expected the folder of Holdfast.`);
  return projectRoot(parent);
}

/** The context of this process. The cache is `HOLDFAST_CACHE_DIR`, else `.cache/` in the project. */
export function setupContext(env: Environment = process.env, onStep?: (step: SetupStep) => void): SetupContext {
  const cacheDir = path.resolve(env[environmentVariables.cacheDir] ?? path.join(projectRoot(), '.cache'));
  return { env, cacheDir, ...(onStep ? { onStep } : {}) };
}
