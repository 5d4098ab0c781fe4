import type { Port } from './onnx-graph.js';
import { WhisperGraph } from './onnx-layers.js';
import type { Message } from './onnx-message.js';
import type { NamedTensor, WhisperSizes } from './whisper-layout.js';

/*
 * The two graphs as sherpa-onnx calls them. Encoder: mel spectrum to every decoder layer's cross-attention keys and
 * values. Decoder: the next tokens, with the caches of the tokens before them passed in and out.
 */

/** What sherpa-onnx reads beside the graphs. */
export type WhisperMetadata = Readonly<Record<string, string | number>>;

export function encoderGraph(tensors: readonly NamedTensor[], sizes: WhisperSizes, metadata: WhisperMetadata): Message {
  const graph = new WhisperGraph(tensors, sizes);
  const first = graph.gelu(convolution(graph, 'mel', { name: 'encoder.conv1', stride: 1 }));
  const second = graph.gelu(convolution(graph, first, { name: 'encoder.conv2', stride: 2 }));
  let state = graph.op('Transpose', [second], { perm: { ints: [0, 2, 1] } });
  const end = graph.sizeOf(state, 1);
  const positions = graph.slice(graph.take('encoder.positional_embedding'), { start: graph.ints(0), end, axis: 0 });
  state = graph.op('Add', [state, positions]);
  for (let layer = 0; layer < sizes.encoderLayers; layer++) state = encoderBlock(graph, state, layer);
  state = graph.norm(state, 'encoder.ln_post');
  for (const part of ['key', 'value'] as const) {
    const layers = Array.from({ length: sizes.decoderLayers }, (_, layer) =>
      graph.linear(state, `decoder.blocks.${layer}.cross_attn.${part}`),
    );
    graph.output(`n_layer_cross_${part.charAt(0)}`, graph.stack(layers));
  }
  const mel: Port = { name: 'mel', type: 'float32', shape: ['n_audio', sizes.melBands, 'n_frames'] };
  return graph.encode([mel], crossPorts(sizes), metadata);
}

function convolution(
  graph: WhisperGraph,
  input: string,
  { name, stride }: { readonly name: string; readonly stride: number },
): string {
  const inputs = [input, graph.take(`${name}.weight`), graph.take(`${name}.bias`)];
  const attributes = { kernel_shape: { ints: [3] }, pads: { ints: [1, 1] }, strides: { ints: [stride] } };
  return graph.op('Conv', inputs, attributes);
}

function encoderBlock(graph: WhisperGraph, input: string, layer: number): string {
  const block = `encoder.blocks.${layer}`;
  const normed = graph.norm(input, `${block}.attn_ln`);
  const part = (name: string): string => graph.linear(normed, `${block}.attn.${name}`);
  const attended = graph.attention({ query: part('query'), key: part('key'), value: part('value') });
  const residual = graph.op('Add', [input, graph.linear(attended, `${block}.attn.out`)]);
  return graph.feedForward(residual, block);
}

export function decoderGraph(tensors: readonly NamedTensor[], sizes: WhisperSizes): Message {
  const graph = new WhisperGraph(tensors, sizes);
  const end = graph.op('Add', ['offset', graph.sizeOf('tokens', 1)]);
  const positions = graph.slice(graph.take('decoder.positional_embedding'), { start: 'offset', end, axis: 0 });
  const embedding = graph.take('decoder.token_embedding.weight');
  let state = graph.op('Add', [graph.op('Gather', [embedding, 'tokens']), positions]);
  const mask = causalMask(graph, end);
  const caches: { readonly key: string; readonly value: string }[] = [];
  for (let layer = 0; layer < sizes.decoderLayers; layer++) {
    const block = decoderBlock(graph, state, { layer, end, mask });
    state = block.state;
    caches.push(block.cache);
  }
  const columns = graph.op('Transpose', [embedding], { perm: { ints: [1, 0] } });
  graph.output('logits', graph.op('MatMul', [graph.norm(state, 'decoder.ln'), columns]));
  graph.output('out_n_layer_self_k_cache', graph.stack(caches.map(({ key }) => key)));
  graph.output('out_n_layer_self_v_cache', graph.stack(caches.map(({ value }) => value)));
  return graph.encode(decoderInputs(sizes), decoderOutputs(sizes), {});
}

/** Nothing looks at what comes later: the rows of the new tokens, the columns of all tokens so far. */
function causalMask(graph: WhisperGraph, end: string): string {
  const { textContext } = graph.sizes;
  const values = new Float32Array(textContext * textContext);
  for (let row = 0; row < textContext; row++) {
    values.fill(-Infinity, row * textContext + row + 1, (row + 1) * textContext);
  }
  const whole = graph.floats(values, [textContext, textContext]);
  const rows = graph.slice(whole, { start: 'offset', end, axis: 0 });
  return graph.slice(rows, { start: graph.ints(0), end, axis: 1 });
}

interface DecoderStep {
  readonly layer: number;
  readonly end: string;
  readonly mask: string;
}

function decoderBlock(
  graph: WhisperGraph,
  input: string,
  { layer, end, mask }: DecoderStep,
): { state: string; cache: { key: string; value: string } } {
  const block = `decoder.blocks.${layer}`;
  const normed = graph.norm(input, `${block}.attn_ln`);
  const own = (part: 'key' | 'value'): { soFar: string; cache: string } =>
    extendCache(graph, graph.linear(normed, `${block}.attn.${part}`), {
      past: graph.op('Gather', [`in_n_layer_self_${part.charAt(0)}_cache`, layerIndex(graph, layer)]),
      end,
    });
  const key = own('key');
  const value = own('value');
  const query = graph.linear(normed, `${block}.attn.query`);
  const attended = graph.attention({ query, key: key.soFar, value: value.soFar, mask });
  const afterSelf = graph.op('Add', [input, graph.linear(attended, `${block}.attn.out`)]);
  const afterCross = crossAttention(graph, afterSelf, layer);
  const cache = { key: key.cache, value: value.cache };
  return { state: graph.feedForward(afterCross, block), cache };
}

/** The tokens before and the new ones; and the same filled up to the cache's fixed length. */
function extendCache(
  graph: WhisperGraph,
  added: string,
  { past, end }: { readonly past: string; readonly end: string },
): { soFar: string; cache: string } {
  const before = graph.slice(past, { start: graph.ints(0), end: 'offset', axis: 1 });
  const soFar = graph.op('Concat', [before, added], { axis: { int: 1 } });
  const rest = graph.slice(past, { start: end, end: graph.ints(graph.sizes.textContext), axis: 1 });
  return { soFar, cache: graph.op('Concat', [soFar, rest], { axis: { int: 1 } }) };
}

function crossAttention(graph: WhisperGraph, input: string, layer: number): string {
  const block = `decoder.blocks.${layer}`;
  const query = graph.linear(graph.norm(input, `${block}.cross_attn_ln`), `${block}.cross_attn.query`);
  const index = layerIndex(graph, layer);
  const key = graph.op('Gather', ['n_layer_cross_k', index]);
  const value = graph.op('Gather', ['n_layer_cross_v', index]);
  const attended = graph.attention({ query, key, value });
  return graph.op('Add', [input, graph.linear(attended, `${block}.cross_attn.out`)]);
}

/** A single number, so that the layers' axis goes away. */
function layerIndex(graph: WhisperGraph, layer: number): string {
  return graph.op('Squeeze', [graph.ints(layer)]);
}

function crossPorts({ decoderLayers, width }: WhisperSizes): Port[] {
  const shape = [decoderLayers, 'n_audio', 'n_audio_ctx', width];
  return ['n_layer_cross_k', 'n_layer_cross_v'].map((name) => ({ name, type: 'float32', shape }));
}

function cachePorts({ decoderLayers, textContext, width }: WhisperSizes, direction: 'in' | 'out'): Port[] {
  const shape = [decoderLayers, 'n_audio', textContext, width];
  return ['k', 'v'].map((part) => ({ name: `${direction}_n_layer_self_${part}_cache`, type: 'float32', shape }));
}

function decoderInputs(sizes: WhisperSizes): Port[] {
  return [
    { name: 'tokens', type: 'int64', shape: ['n_audio', 'n_tokens'] },
    ...cachePorts(sizes, 'in'),
    ...crossPorts(sizes),
    { name: 'offset', type: 'int64', shape: [1] },
  ];
}

function decoderOutputs(sizes: WhisperSizes): Port[] {
  const logits: Port = { name: 'logits', type: 'float32', shape: ['n_audio', 'n_tokens', sizes.vocabulary] };
  return [logits, ...cachePorts(sizes, 'out')];
}
