import { setupContext, type SetupContext } from './context.js';
import type { Executable } from './executable.js';
import { resolveFfmpeg } from './ffmpeg.js';
import type { Resolved } from './resolve-tool.js';
import { resolveSpeakerModels, type SpeakerModels } from './speaker-models.js';
import { resolveTemporalCli, resolveTestServer, type TemporalProgram } from './temporal.js';
import { resolveWhisperModel, type WhisperModel } from './whisper-model.js';

/** Every external part. */
export interface Parts {
  readonly temporalCli: Resolved<TemporalProgram>;
  readonly testServer: Resolved<TemporalProgram>;
  readonly ffmpeg: Resolved<Executable>;
  readonly whisperModel: Resolved<WhisperModel>;
  readonly speakerModels: SpeakerModels;
}

/**
 * Finds or installs every part; `context.onStep` tells of each step. One after the other, so that two downloads do not
 * share a thin line and the lines of progress stay in order. @throws {PartNotFoundError} for the first that is missing
 */
export async function resolveAll(context: SetupContext = setupContext()): Promise<Parts> {
  return {
    temporalCli: await resolveTemporalCli(context),
    testServer: await resolveTestServer(context),
    ffmpeg: await resolveFfmpeg(context),
    whisperModel: await resolveWhisperModel(context),
    speakerModels: await resolveSpeakerModels(context),
  };
}
