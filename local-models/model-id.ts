import path from 'node:path';

/** The exact id under which a speech model is served: `ggml-tiny.en.bin` is `whisper-tiny.en`; the folder of
 * sherpa-onnx's form is named likewise. */
export function speechModelId(modelPath: string): string {
  const name = path.basename(modelPath).replace(/(\.bin|-onnx)$/, '');
  return name.replace(/^ggml-/, 'whisper-').replace(/^sherpa-onnx-/, '');
}

/** The exact id of a pair of speaker models, e.g. `pyannote-segmentation-3.0+campplus`. */
export function speakerModelId(segmentationPath: string, embeddingPath: string): string {
  const stem = (file: string): string => path.basename(file).replace(/(\.f16)?\.onnx$/, '');
  return `${stem(segmentationPath)}+${stem(embeddingPath).replace(/^campplus-.*/, 'campplus')}`;
}
