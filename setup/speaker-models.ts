import path from 'node:path';
import { environmentVariables, projectRoot, setupContext, type SetupContext } from './context.js';
import { checkSha256 } from './install.js';
import { modelFromEnvironment } from './model-file.js';
import { resolveTool, type Resolved, type Source } from './resolve-tool.js';

/** The two models that local diarization needs, in the form that sherpa-onnx reads. */
export interface SpeakerModels {
  readonly segmentation: Resolved<{ path: string }>;
  readonly embedding: Resolved<{ path: string }>;
}

/** Carried by the project; origin and licences in assets/models/README.md. */
const carried = {
  segmentation: {
    file: 'pyannote-segmentation-3.0.f16.onnx',
    sha256: 'f5848f16c5a884b4c102dbd8f7445b7b623b27256c02f572756c70dd72a6469d',
  },
  embedding: {
    file: 'campplus-zh-en-common.f16.onnx',
    sha256: 'fed1f0ab27af8d3f579e7fa87a6d41c93e446e0ed43d5a5adba250ba0e8769c9',
  },
} as const;

/**
 * The speaker models: `HOLDFAST_SEGMENTATION_MODEL` and `HOLDFAST_EMBEDDING_MODEL` (a file, or an address with
 * `#sha256=<digest>`), else those the project carries, their digests checked. @throws {PartNotFoundError}
 */
export async function resolveSpeakerModels(context: SetupContext = setupContext()): Promise<SpeakerModels> {
  const segmentation = [
    modelFromEnvironment(environmentVariables.segmentationModel, context),
    fromAssets(carried.segmentation),
  ];
  const embedding = [modelFromEnvironment(environmentVariables.embeddingModel, context), fromAssets(carried.embedding)];
  return {
    segmentation: await resolveTool('speaker segmentation model', segmentation, context),
    embedding: await resolveTool('speaker embedding model', embedding, context),
  };
}

function fromAssets(asset: { readonly file: string; readonly sha256: string }): Source<{ path: string }> {
  return {
    name: 'assets/models',
    find: async () => {
      const file = path.join(projectRoot(), 'assets', 'models', asset.file);
      await checkSha256(file, [asset.sha256]);
      return { found: { path: file } };
    },
  };
}
