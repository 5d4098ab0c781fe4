/** Just enough of the protocol buffer wire format to write an ONNX file. */

const varintWire = 0;
const fixed32Wire = 5;
const lengthDelimitedWire = 2;

/** An encoded message, as the pieces that make it up: weights are not copied until the file is written. */
export type Message = readonly Buffer[];

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Buffer.from(bytes);
}

function key(field: number, wire: number): Buffer {
  return varint((field << 3) | wire);
}

export function intField(field: number, value: number): Message {
  return [key(field, varintWire), varint(value)];
}

export function floatField(field: number, value: number): Message {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return [key(field, fixed32Wire), bytes];
}

export function messageField(field: number, message: Message): Message {
  const length = message.reduce((sum, piece) => sum + piece.length, 0);
  return [key(field, lengthDelimitedWire), varint(length), ...message];
}

export function bytesField(field: number, bytes: Buffer): Message {
  return messageField(field, [bytes]);
}

export function textField(field: number, text: string): Message {
  return bytesField(field, Buffer.from(text));
}
