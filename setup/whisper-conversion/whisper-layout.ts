import { dimension, sliceRows, type Ct2Model, type Tensor } from './ct2-model.js';

/** Sizes of a Whisper model, read off its tensors. */
export interface WhisperSizes {
  readonly vocabulary: number;
  readonly audioContext: number;
  readonly textContext: number;
  readonly width: number;
  readonly heads: number;
  readonly encoderLayers: number;
  readonly decoderLayers: number;
  readonly melBands: number;
}

/** A tensor under the name that OpenAI's checkpoint gives it. */
export interface NamedTensor extends Tensor {
  readonly name: string;
}

/** Every Whisper size has heads of this width. */
const headWidth = 64;

export function whisperSizes(model: Ct2Model): WhisperSizes {
  const embedding = model.tensor('decoder/embeddings/weight');
  const width = dimension(embedding, 1);
  return {
    vocabulary: dimension(embedding, 0),
    audioContext: dimension(model.tensor('encoder/position_encodings/encodings'), 0),
    textContext: dimension(model.tensor('decoder/position_encodings/encodings'), 0),
    width,
    heads: width / headWidth,
    encoderLayers: countLayers(model, 'encoder'),
    decoderLayers: countLayers(model, 'decoder'),
    melBands: dimension(model.tensor('encoder/conv1/weight'), 1),
  };
}

function countLayers(model: Ct2Model, part: 'encoder' | 'decoder'): number {
  const layer = new RegExp(`^${part}/layer_\\d+/self_attention/layer_norm/gamma$`);
  return model.names.filter((name) => layer.test(name)).length;
}

/**
 * All tensors of a Whisper model by OpenAI's names, encoder first. CTranslate2 keeps query, key and value of an
 * attention in one tensor; here they are apart again.
 */
export function whisperTensors(model: Ct2Model): NamedTensor[] {
  const sizes = whisperSizes(model);
  const take = (name: string, from: string): NamedTensor => ({ name, ...model.tensor(from) });
  const layers = (count: number, build: (index: number) => NamedTensor[]): NamedTensor[] =>
    Array.from({ length: count }, (_, index) => build(index)).flat();
  return [
    take('encoder.positional_embedding', 'encoder/position_encodings/encodings'),
    ...linear(model, 'encoder.conv1', 'encoder/conv1'),
    ...linear(model, 'encoder.conv2', 'encoder/conv2'),
    ...layers(sizes.encoderLayers, (index) => encoderLayer(model, index)),
    ...norm(model, 'encoder.ln_post', 'encoder/layer_norm'),
    take('decoder.positional_embedding', 'decoder/position_encodings/encodings'),
    take('decoder.token_embedding.weight', 'decoder/embeddings/weight'),
    ...layers(sizes.decoderLayers, (index) => decoderLayer(model, index)),
    ...norm(model, 'decoder.ln', 'decoder/layer_norm'),
  ];
}

function encoderLayer(model: Ct2Model, index: number): NamedTensor[] {
  const to = `encoder.blocks.${index}`;
  const from = `encoder/layer_${index}`;
  return [...selfAttention(model, to, from), ...feedForward(model, to, from)];
}

function decoderLayer(model: Ct2Model, index: number): NamedTensor[] {
  const to = `decoder.blocks.${index}`;
  const from = `decoder/layer_${index}`;
  return [
    ...selfAttention(model, to, from),
    ...norm(model, `${to}.cross_attn_ln`, `${from}/attention/layer_norm`),
    ...linear(model, `${to}.cross_attn.query`, `${from}/attention/linear_0`),
    ...fused(model, `${from}/attention/linear_1`, [`${to}.cross_attn.key`, `${to}.cross_attn.value`]),
    ...linear(model, `${to}.cross_attn.out`, `${from}/attention/linear_2`),
    ...feedForward(model, to, from),
  ];
}

function selfAttention(model: Ct2Model, to: string, from: string): NamedTensor[] {
  const parts = ['query', 'key', 'value'].map((part) => `${to}.attn.${part}`);
  return [
    ...norm(model, `${to}.attn_ln`, `${from}/self_attention/layer_norm`),
    ...fused(model, `${from}/self_attention/linear_0`, parts),
    ...linear(model, `${to}.attn.out`, `${from}/self_attention/linear_1`),
  ];
}

function feedForward(model: Ct2Model, to: string, from: string): NamedTensor[] {
  return [
    ...norm(model, `${to}.mlp_ln`, `${from}/ffn/layer_norm`),
    ...linear(model, `${to}.mlp.0`, `${from}/ffn/linear_0`),
    ...linear(model, `${to}.mlp.2`, `${from}/ffn/linear_1`),
  ];
}

function norm(model: Ct2Model, to: string, from: string): NamedTensor[] {
  return [
    { name: `${to}.weight`, ...model.tensor(`${from}/gamma`) },
    { name: `${to}.bias`, ...model.tensor(`${from}/beta`) },
  ];
}

function linear(model: Ct2Model, to: string, from: string): NamedTensor[] {
  return [
    { name: `${to}.weight`, ...model.tensor(`${from}/weight`) },
    { name: `${to}.bias`, ...model.tensor(`${from}/bias`) },
  ];
}

/** Whisper's keys have no bias; CTranslate2 fills its place with zeros, which are left out. */
function fused(model: Ct2Model, from: string, parts: readonly string[]): NamedTensor[] {
  const weight = model.tensor(`${from}/weight`);
  const bias = model.tensor(`${from}/bias`);
  const rows = dimension(weight, 0) / parts.length;
  return parts.flatMap((to, index) => {
    const [first, last] = [index * rows, (index + 1) * rows];
    const weights = { name: `${to}.weight`, ...sliceRows(weight, first, last) };
    return to.endsWith('.key') ? [weights] : [weights, { name: `${to}.bias`, ...sliceRows(bias, first, last) }];
  });
}
