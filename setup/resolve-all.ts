import { setupContext, type SetupContext } from './context.js';
import type { Executable } from './executable.js';
import { resolveFfmpeg } from './ffmpeg.js';
import type { Resolved } from './resolve-tool.js';
import { resolveSpeakerModels, type SpeakerModels } from './speaker-models.js';
import { resolveTemporalCli, resolveTestServer, type TemporalProgram } from './temporal.js';
import { resolveWhisperModel, type WhisperModel } from './whisper-model.js';

/** What a site of our own needs. */
export interface SiteParts {
  readonly temporalCli: Resolved<TemporalProgram>;
  readonly ffmpeg: Resolved<Executable>;
  readonly whisperModel: Resolved<WhisperModel>;
  readonly speakerModels: SpeakerModels;
}

/** Every external part: the test server as well, which only tests need. */
export interface Parts extends SiteParts {
  readonly testServer: Resolved<TemporalProgram>;
}

/**
 * Finds or installs what a site of our own needs; `context.onStep` tells of each step. One after the other, so that two
 * downloads do not share a thin line and the lines of progress stay in order.
 *
 * @throws {PartNotFoundError} for the first that is missing
 */
export async function resolveSiteParts(context: SetupContext = setupContext()): Promise<SiteParts> {
  return {
    temporalCli: await resolveTemporalCli(context),
    ffmpeg: await resolveFfmpeg(context),
    whisperModel: await resolveWhisperModel(context),
    speakerModels: await resolveSpeakerModels(context),
  };
}

/** The same for every part. @throws {PartNotFoundError} for the first that is missing */
export async function resolveAll(context: SetupContext = setupContext()): Promise<Parts> {
  return { ...(await resolveSiteParts(context)), testServer: await resolveTestServer(context) };
}
