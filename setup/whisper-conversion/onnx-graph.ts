import type { Tensor } from './ct2-model.js';
import { bytesField, floatField, intField, messageField, textField, type Message } from './onnx-message.js';

/** Numbers of onnx.proto: element types and attribute types. */
const elementTypes = { float32: 1, int64: 7, float16: 10 } as const;
const attributeTypes = { float: 1, int: 2, ints: 7 } as const;
const irVersion = 8;
/** The first with LayerNormalization. */
const opset = 17;

export type ElementType = keyof typeof elementTypes;
/** A fixed size, or the name of one that varies. */
export type Dimension = number | string;
export type Attribute = { readonly float: number } | { readonly int: number } | { readonly ints: readonly number[] };

/** A tensor that goes in or comes out. */
export interface Port {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly Dimension[];
}

/** Builds an ONNX model node by node; every method that adds something answers the name of its output. */
export class OnnxGraph {
  private readonly nodes: Message[] = [];
  private readonly initializers: Message[] = [];
  private readonly added = new Map<string, string>();
  private count = 0;

  /** A node with one output. */
  op(type: string, inputs: readonly string[], attributes: Readonly<Record<string, Attribute>> = {}): string {
    const output = `${type}_${this.count++}`;
    this.addNode(type, { inputs, output, attributes });
    return output;
  }

  /** Gives a value the name of an output. */
  output(name: string, value: string): void {
    this.addNode('Identity', { inputs: [value], output: name, attributes: {} });
  }

  /** Weights, kept in 16 bits in the file and computed in 32. */
  weight(name: string, { dims, data }: Tensor): string {
    return this.once(name, () => {
      this.initializers.push(tensor(`${name}.f16`, { dims, data, type: 'float16' }));
      return this.op('Cast', [`${name}.f16`], { to: { int: elementTypes.float32 } });
    });
  }

  /** A row of whole numbers. */
  ints(...values: number[]): string {
    return this.once(`ints(${values.join()})`, (name) => {
      const data = Buffer.from(BigInt64Array.from(values.map(BigInt)).buffer);
      this.initializers.push(tensor(name, { dims: [values.length], data, type: 'int64' }));
      return name;
    });
  }

  floats(values: Float32Array, dims: readonly number[]): string {
    const name = `floats_${this.count++}`;
    this.initializers.push(tensor(name, { dims, data: Buffer.from(values.buffer), type: 'float32' }));
    return name;
  }

  scalar(value: number): string {
    return this.once(`scalar(${value})`, () => this.floats(Float32Array.of(value), []));
  }

  /** The whole file. */
  encode(
    inputs: readonly Port[],
    outputs: readonly Port[],
    metadata: Readonly<Record<string, string | number>>,
  ): Message {
    const graph = [
      ...this.nodes.flatMap((node) => messageField(1, node)),
      ...textField(2, 'whisper'),
      ...this.initializers.flatMap((initializer) => messageField(5, initializer)),
      ...inputs.flatMap((port) => messageField(11, valueInfo(port))),
      ...outputs.flatMap((port) => messageField(12, valueInfo(port))),
    ];
    const properties = Object.entries(metadata).flatMap(([name, value]) =>
      messageField(14, [...textField(1, name), ...textField(2, String(value))]),
    );
    const opsets = messageField(8, [...textField(1, ''), ...intField(2, opset)]);
    return [...intField(1, irVersion), ...messageField(7, graph), ...opsets, ...properties];
  }

  private once(name: string, add: (name: string) => string): string {
    const known = this.added.get(name) ?? add(name);
    this.added.set(name, known);
    return known;
  }

  private addNode(
    type: string,
    node: {
      readonly inputs: readonly string[];
      readonly output: string;
      readonly attributes: Readonly<Record<string, Attribute>>;
    },
  ): void {
    this.nodes.push([
      ...node.inputs.flatMap((input) => textField(1, input)),
      ...textField(2, node.output),
      ...textField(3, node.output),
      ...textField(4, type),
      ...Object.entries(node.attributes).flatMap(([name, value]) => messageField(5, attribute(name, value))),
    ]);
  }
}

function attribute(name: string, value: Attribute): Message {
  const named = textField(1, name);
  if ('float' in value) return [...named, ...floatField(2, value.float), ...intField(20, attributeTypes.float)];
  if ('int' in value) return [...named, ...intField(3, value.int), ...intField(20, attributeTypes.int)];
  return [...named, ...value.ints.flatMap((int) => intField(8, int)), ...intField(20, attributeTypes.ints)];
}

function tensor(
  name: string,
  { dims, data, type }: { readonly dims: readonly number[]; readonly data: Buffer; readonly type: ElementType },
): Message {
  const shape = dims.flatMap((size) => intField(1, size));
  return [...shape, ...intField(2, elementTypes[type]), ...textField(8, name), ...bytesField(9, data)];
}

function valueInfo({ name, type, shape }: Port): Message {
  const dims = shape.flatMap((size) =>
    messageField(1, typeof size === 'number' ? intField(1, size) : textField(2, size)),
  );
  const tensorType = [...intField(1, elementTypes[type]), ...messageField(2, dims)];
  return [...textField(1, name), ...messageField(2, messageField(1, tensorType))];
}
