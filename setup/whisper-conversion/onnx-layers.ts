import type { Tensor } from './ct2-model.js';
import { OnnxGraph } from './onnx-graph.js';
import type { NamedTensor, WhisperSizes } from './whisper-layout.js';

/** Whisper's layers as ONNX nodes, with the weights found by OpenAI's names. */
export class WhisperGraph extends OnnxGraph {
  private readonly weights: ReadonlyMap<string, Tensor>;

  constructor(
    tensors: readonly NamedTensor[],
    readonly sizes: WhisperSizes,
  ) {
    super();
    this.weights = new Map(tensors.map((tensor) => [tensor.name, tensor]));
  }

  /** The weights of that name; `undefined` where the model has none (a key's bias). */
  find(name: string): string | undefined {
    const tensor = this.weights.get(name);
    return tensor && this.weight(name, tensor);
  }

  take(name: string): string {
    const found = this.find(name);
    if (found === undefined) throw new Error(`Whisper model has no ${name}`);
    return found;
  }

  linear(input: string, name: string): string {
    const columns = this.op('Transpose', [this.take(`${name}.weight`)], { perm: { ints: [1, 0] } });
    const product = this.op('MatMul', [input, columns]);
    const bias = this.find(`${name}.bias`);
    return bias === undefined ? product : this.op('Add', [product, bias]);
  }

  norm(input: string, name: string): string {
    const inputs = [input, this.take(`${name}.weight`), this.take(`${name}.bias`)];
    return this.op('LayerNormalization', inputs, { axis: { int: -1 }, epsilon: { float: 1e-5 } });
  }

  /** The exact form: x / 2 (1 + erf(x / sqrt 2)). */
  gelu(input: string): string {
    const erf = this.op('Erf', [this.op('Mul', [input, this.scalar(Math.SQRT1_2)])]);
    const half = this.op('Mul', [input, this.scalar(0.5)]);
    return this.op('Mul', [half, this.op('Add', [erf, this.scalar(1)])]);
  }

  /** A residual of two linear layers. */
  feedForward(input: string, block: string): string {
    const hidden = this.gelu(this.linear(this.norm(input, `${block}.mlp_ln`), `${block}.mlp.0`));
    return this.op('Add', [input, this.linear(hidden, `${block}.mlp.2`)]);
  }

  /** Attention of `query` over `key` and `value`, each of the shape (batch, time, width); `mask` is added to the scores. */
  attention(parts: {
    readonly query: string;
    readonly key: string;
    readonly value: string;
    readonly mask?: string;
  }): string {
    const { heads, width } = this.sizes;
    const split = (input: string, perm: readonly number[]): string =>
      this.op('Transpose', [this.op('Reshape', [input, this.ints(0, 0, heads, width / heads)])], {
        perm: { ints: perm },
      });
    const scaled = this.op('Mul', [parts.query, this.scalar((width / heads) ** -0.5)]);
    const scores = this.op('MatMul', [split(scaled, [0, 2, 1, 3]), split(parts.key, [0, 2, 3, 1])]);
    const masked = parts.mask === undefined ? scores : this.op('Add', [scores, parts.mask]);
    const mixed = this.op('MatMul', [
      this.op('Softmax', [masked], { axis: { int: -1 } }),
      split(parts.value, [0, 2, 1, 3]),
    ]);
    const joined = this.op('Transpose', [mixed], { perm: { ints: [0, 2, 1, 3] } });
    return this.op('Reshape', [joined, this.ints(0, 0, width)]);
  }

  /** `input` from `start` up to `end` along `axis`; both are rows of one whole number. */
  slice(input: string, range: { readonly start: string; readonly end: string; readonly axis: number }): string {
    return this.op('Slice', [input, range.start, range.end, this.ints(range.axis)]);
  }

  /** The size of `input` along `axis`, as a row of one whole number. */
  sizeOf(input: string, axis: number): string {
    return this.slice(this.op('Shape', [input]), { start: this.ints(axis), end: this.ints(axis + 1), axis: 0 });
  }

  /** One value a layer, stacked along a new first axis. */
  stack(values: readonly string[]): string {
    const rows = values.map((value) => this.op('Unsqueeze', [value, this.ints(0)]));
    return this.op('Concat', rows, { axis: { int: 0 } });
  }
}
