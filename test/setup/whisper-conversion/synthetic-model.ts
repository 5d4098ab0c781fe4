import fs from 'node:fs';
import path from 'node:path';

/** A Whisper model so small that it says nothing, in CTranslate2's binary form; sizes as `whisperSizes` finds them. */
export const sizes = { vocabulary: 60, audioContext: 6, textContext: 5, width: 64, melBands: 4 } as const;

const float16Type = 4;

/** Bits of small whole numbers as 16-bit floats: 1, 2, 3 in turn, so that rows differ. */
const bitsOf = [0x3c00, 0x4000, 0x4200];

function variable(name: string, dims: readonly number[], type = float16Type): Buffer {
  const count = dims.reduce((product, size) => product * size, 1);
  const data = Buffer.alloc(count * 2);
  for (let index = 0; index < count; index++) data.writeUInt16LE(bitsOf[index % 3] ?? 0, index * 2);
  const shape = Buffer.from(Uint32Array.from(dims).buffer);
  return Buffer.concat([
    string(name),
    Buffer.from([dims.length]),
    shape,
    Buffer.from([type]),
    uint32(data.length),
    data,
  ]);
}

function string(text: string): Buffer {
  const bytes = Buffer.from(`${text}\0`);
  const length = Buffer.alloc(2);
  length.writeUInt16LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function norm(name: string): Buffer[] {
  return [variable(`${name}/gamma`, [sizes.width]), variable(`${name}/beta`, [sizes.width])];
}

function linear(name: string, dims: readonly number[]): Buffer[] {
  return [variable(`${name}/weight`, dims), variable(`${name}/bias`, dims.slice(0, 1))];
}

function block(name: string): Buffer[] {
  const { width } = sizes;
  return [
    ...norm(`${name}/self_attention/layer_norm`),
    ...linear(`${name}/self_attention/linear_0`, [3 * width, width]),
    ...linear(`${name}/self_attention/linear_1`, [width, width]),
    ...norm(`${name}/ffn/layer_norm`),
    ...linear(`${name}/ffn/linear_0`, [4 * width, width]),
    ...linear(`${name}/ffn/linear_1`, [width, 4 * width]),
  ];
}

/** The model's variables; `embeddingType` other than the 16-bit float's for a model that cannot be converted. */
export function syntheticModel(embeddingType = float16Type, version = 6): Buffer {
  const { width, vocabulary, audioContext, textContext, melBands } = sizes;
  const variables = [
    variable('encoder/position_encodings/encodings', [audioContext, width]),
    ...linear('encoder/conv1', [width, melBands, 3]),
    ...linear('encoder/conv2', [width, width, 3]),
    ...block('encoder/layer_0'),
    ...norm('encoder/layer_norm'),
    variable('decoder/position_encodings/encodings', [textContext, width]),
    variable('decoder/embeddings/weight', [vocabulary, width], embeddingType),
    ...block('decoder/layer_0'),
    ...norm('decoder/layer_0/attention/layer_norm'),
    ...linear('decoder/layer_0/attention/linear_0', [width, width]),
    ...linear('decoder/layer_0/attention/linear_1', [2 * width, width]),
    ...linear('decoder/layer_0/attention/linear_2', [width, width]),
    ...norm('decoder/layer_norm'),
  ];
  return Buffer.concat([uint32(version), string('WhisperSpec'), uint32(3), uint32(variables.length), ...variables]);
}

/** Writes the model's folder: model.bin, and a vocabulary as long as Whisper's. */
export function writeSyntheticModel(dir: string, model = syntheticModel()): void {
  fs.writeFileSync(path.join(dir, 'model.bin'), model);
  const tokens = ['a', 'Ġthe', ...Array.from({ length: 50_255 }, (_, index) => `t${index}`)];
  fs.writeFileSync(path.join(dir, 'vocabulary.txt'), tokens.join('\n'));
}
