import fs from 'node:fs';
import path from 'node:path';
import { tokenBytes } from '../../../setup/whisper-conversion/byte-vocabulary.js';
import { convertCt2ToGgml } from '../../../setup/whisper-conversion/ct2-to-ggml.js';
import { float16ToNumber } from '../../../setup/whisper-conversion/float16.js';
import { melFilterbank } from '../../../setup/whisper-conversion/mel-filterbank.js';
import { useTemporaryDirectory } from '../../support/temporary-directory.js';
import { sizes, syntheticModel, writeSyntheticModel } from './synthetic-model.js';

interface GgmlTensor {
  readonly dims: number[];
  readonly type: number;
  readonly data: Buffer;
}

/** Reads a ggml file as whisper.cpp does. */
function readGgml(bytes: Buffer): { header: number[]; tokens: Buffer[]; tensors: Map<string, GgmlTensor> } {
  let position = 0;
  const int32 = (): number => {
    position += 4;
    return bytes.readInt32LE(position - 4);
  };
  const take = (length: number): Buffer => {
    position += length;
    return bytes.subarray(position - length, position);
  };
  const header = Array.from({ length: 12 }, int32);
  const filters = int32() * int32();
  take(filters * 4);
  const tokens = Array.from({ length: int32() }, () => take(int32()));
  const tensors = new Map<string, GgmlTensor>();
  while (position < bytes.length) {
    const [rank, nameLength, type] = [int32(), int32(), int32()];
    const dims = Array.from({ length: rank }, int32);
    const name = take(nameLength).toString();
    const count = dims.reduce((product, size) => product * size, 1);
    tensors.set(name, { dims, type, data: take(count * (type === 0 ? 4 : 2)) });
  }
  return { header, tokens, tensors };
}

describe('convertCt2ToGgml', () => {
  const directory = useTemporaryDirectory();
  const convert = async (model?: Buffer): Promise<ReturnType<typeof readGgml>> => {
    writeSyntheticModel(directory(), model);
    const file = path.join(directory(), 'ggml.bin');
    await convertCt2ToGgml(directory(), file);
    return readGgml(fs.readFileSync(file));
  };

  it("writes whisper.cpp's header", async () => {
    const { header } = await convert();
    const { vocabulary, audioContext, textContext, width, melBands } = sizes;
    const encoder = [audioContext, width, 1, 1];
    const decoder = [textContext, width, 1, 1];
    expect(header).toEqual([0x67676d6c, vocabulary, ...encoder, ...decoder, melBands, 1]);
  });

  it('writes the vocabulary as bytes', async () => {
    const { tokens } = await convert();
    expect(tokens).toHaveLength(50_257);
    expect(tokens[1]?.toString()).toBe(' the');
  });

  it('takes fused attention apart, without the bias that keys do not have', async () => {
    const { tensors } = await convert();
    const query = tensors.get('decoder.blocks.0.attn.query.weight');
    const value = tensors.get('decoder.blocks.0.attn.value.weight');
    expect(query?.dims).toEqual([sizes.width, sizes.width]);
    expect(value?.data.equals(query?.data ?? Buffer.alloc(0))).toBe(false);
    expect(tensors.has('decoder.blocks.0.attn.value.bias')).toBe(true);
    expect(tensors.has('decoder.blocks.0.attn.key.bias')).toBe(false);
    expect(tensors.has('decoder.blocks.0.cross_attn.key.weight')).toBe(true);
  });

  it('keeps matrices in 16 bits and widens vectors', async () => {
    const { tensors } = await convert();
    expect(tensors.get('encoder.blocks.0.mlp.0.weight')?.type).toBe(1);
    const bias = tensors.get('encoder.blocks.0.mlp.0.bias');
    expect(bias?.type).toBe(0);
    expect([0, 4, 8].map((offset) => bias?.data.readFloatLE(offset))).toEqual([1, 2, 3]);
  });

  it("writes the convolutions' biases as columns", async () => {
    const { tensors } = await convert();
    expect(tensors.get('encoder.conv1.bias')?.dims).toEqual([1, sizes.width]);
  });

  it('refuses a model whose weights are not 16-bit floats', async () => {
    await expect(convert(syntheticModel(1))).rejects.toThrow('decoder/embeddings/weight has CTranslate2 type 1');
  });

  it('refuses an older format', async () => {
    await expect(convert(syntheticModel(4, 4))).rejects.toThrow('version 4; expected 5 or later');
  });

  it('refuses a file that is cut short', async () => {
    const whole = syntheticModel();
    await expect(convert(whole.subarray(0, whole.length - 10))).rejects.toThrow('ends in the middle');
  });
});

describe('float16ToNumber', () => {
  it.each([
    [0x3c00, 1],
    [0xc000, -2],
    [0x0001, 2 ** -24],
    [0x7bff, 65_504],
    [0x7c00, Infinity],
    [0x7e00, NaN],
  ])('reads bits %i as %d', (bits, value) => {
    expect(float16ToNumber(bits)).toBe(value);
  });
});

describe('melFilterbank', () => {
  // Values of librosa.filters.mel(sr=16000, n_fft=400, n_mels=80).
  it('agrees with librosa', () => {
    const filters = melFilterbank(80);
    expect(filters[1]).toBeCloseTo(0.0248626, 6);
    expect(filters[201 + 1]).toBeCloseTo(0.00199082, 6);
  });
});

describe('tokenBytes', () => {
  it("reads GPT-2's spelling of bytes", () => {
    expect(tokenBytes('ĠÃ©')).toEqual(Buffer.from(' é'));
  });
});
