/**
 * Reader of CTranslate2's binary model format (version 5 and later): little-endian, strings with a 16-bit length that
 * counts their closing NUL, then the variables one after another.
 */

/** CTranslate2's number of the 16-bit float type; the only one these models hold. */
const float16Type = 4;
const oldestVersion = 5;

/** A 16-bit float tensor, row-major, outermost dimension first. */
export interface Tensor {
  readonly dims: readonly number[];
  readonly data: Buffer;
}

export interface Ct2Model {
  readonly names: readonly string[];
  /** @throws Error when the model has no such tensor or holds it in another type */
  tensor(name: string): Tensor;
}

/** @throws Error when the bytes are not such a model */
export function readCt2Model(bytes: Buffer): Ct2Model {
  const cursor = new Cursor(bytes);
  const version = cursor.uint32();
  if (version < oldestVersion) {
    throw new Error(`CTranslate2 model version ${version}; expected ${oldestVersion} or later`);
  }
  cursor.string(); // the model's class, e.g. WhisperSpec
  cursor.uint32(); // revision of that class
  const variables = readVariables(cursor);
  return {
    names: [...variables.keys()],
    tensor: (name) => {
      const variable = variables.get(name);
      if (!variable) throw new Error(`CTranslate2 model has no variable ${name}`);
      if (variable.type !== float16Type) {
        throw new Error(`${name} has CTranslate2 type ${variable.type}; expected ${float16Type} (16-bit float)`);
      }
      return { dims: variable.dims, data: variable.data };
    },
  };
}

interface Variable extends Tensor {
  readonly type: number;
}

function readVariables(cursor: Cursor): Map<string, Variable> {
  const variables = new Map<string, Variable>();
  const count = cursor.uint32();
  for (let index = 0; index < count; index++) {
    const name = cursor.string();
    const rank = cursor.uint8();
    const dims = Array.from({ length: rank }, () => cursor.uint32());
    const type = cursor.uint8();
    variables.set(name, { dims, type, data: cursor.bytes(cursor.uint32()) });
  }
  return variables;
}

class Cursor {
  private position = 0;
  constructor(private readonly buffer: Buffer) {}

  uint8(): number {
    return this.buffer.readUInt8(this.advance(1));
  }

  uint32(): number {
    return this.buffer.readUInt32LE(this.advance(4));
  }

  string(): string {
    const length = this.buffer.readUInt16LE(this.advance(2));
    return this.bytes(length).toString('utf8', 0, length - 1);
  }

  bytes(length: number): Buffer {
    const start = this.advance(length);
    if (start + length > this.buffer.length) throw new Error('CTranslate2 model ends in the middle of a variable');
    return this.buffer.subarray(start, start + length);
  }

  private advance(length: number): number {
    const start = this.position;
    this.position += length;
    return start;
  }
}

/** Rows `from` up to, not including, `to` of the outermost dimension. */
export function sliceRows(tensor: Tensor, from: number, to: number): Tensor {
  const rowBytes = tensor.data.length / dimension(tensor, 0);
  return { dims: [to - from, ...tensor.dims.slice(1)], data: tensor.data.subarray(from * rowBytes, to * rowBytes) };
}

/** @throws Error when the tensor has no such dimension */
export function dimension(tensor: Tensor, index: number): number {
  const size = tensor.dims[index];
  if (size === undefined) throw new Error(`tensor of ${tensor.dims.length} dimensions has no dimension ${index}`);
  return size;
}
