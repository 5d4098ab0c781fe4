import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { readVocabulary, textTokenCount, tokenBytes } from './byte-vocabulary.js';
import { readCt2Model } from './ct2-model.js';
import { widenFloat16 } from './float16.js';
import { fftBins, melFilterbank } from './mel-filterbank.js';
import { whisperSizes, whisperTensors, type NamedTensor, type WhisperSizes } from './whisper-layout.js';

const ggmlMagic = 0x67676d6c;
const tensorTypes = { float32: 0, float16: 1 } as const;

/**
 * Converts a Whisper model from CTranslate2's form (a folder with model.bin and a vocabulary, 16-bit floats) to the
 * single ggml file that whisper.cpp reads.
 * @throws Error when the folder does not hold such a model
 */
export async function convertCt2ToGgml(modelDir: string, outFile: string): Promise<void> {
  const model = readCt2Model(await fs.promises.readFile(path.join(modelDir, 'model.bin')));
  const sizes = whisperSizes(model);
  const parts = [
    header(sizes),
    filters(sizes.melBands),
    ...vocabulary(readVocabulary(modelDir)),
    ...whisperTensors(model).flatMap(tensor),
  ];
  await pipeline(Readable.from(parts), fs.createWriteStream(outFile));
}

function header(sizes: WhisperSizes): Buffer {
  return int32(
    ggmlMagic,
    sizes.vocabulary,
    sizes.audioContext,
    sizes.width,
    sizes.heads,
    sizes.encoderLayers,
    sizes.textContext,
    sizes.width,
    sizes.heads,
    sizes.decoderLayers,
    sizes.melBands,
    tensorTypes.float16,
  );
}

function filters(melBands: number): Buffer {
  const weights = melFilterbank(melBands);
  const data = Buffer.alloc(weights.length * 4);
  weights.forEach((weight, index) => data.writeFloatLE(weight, index * 4));
  return Buffer.concat([int32(melBands, fftBins), data]);
}

function vocabulary(tokens: readonly string[]): Buffer[] {
  const entries = tokens.slice(0, textTokenCount).map((token) => {
    const bytes = tokenBytes(token);
    return Buffer.concat([int32(bytes.length), bytes]);
  });
  if (entries.length < textTokenCount) {
    throw new Error(`vocabulary has ${entries.length} tokens; expected ${textTokenCount} at least`);
  }
  return [int32(textTokenCount), ...entries];
}

/** whisper.cpp wants matrices in 16 bits; vectors, position tables and the convolutions' biases (as columns) in 32. */
function tensor(source: NamedTensor): Buffer[] {
  const isConvolutionBias = /conv\d\.bias$/.test(source.name);
  const isWide = source.dims.length < 2 || source.name.endsWith('positional_embedding');
  const dims = isConvolutionBias ? [...source.dims, 1] : source.dims;
  const name = Buffer.from(source.name);
  const type = isWide ? tensorTypes.float32 : tensorTypes.float16;
  const head = int32(dims.length, name.length, type, ...[...dims].reverse());
  return [head, name, isWide ? widenFloat16(source.data) : source.data];
}

function int32(...values: number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => buffer.writeInt32LE(value, index * 4));
  return buffer;
}
