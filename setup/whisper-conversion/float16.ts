/** The number that an IEEE 754 16-bit float's bits stand for. */
export function float16ToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Little-endian 16-bit floats as little-endian 32-bit floats. */
export function widenFloat16(data: Buffer): Buffer {
  const wide = Buffer.alloc(data.length * 2);
  for (let offset = 0; offset < data.length; offset += 2) {
    wide.writeFloatLE(float16ToNumber(data.readUInt16LE(offset)), offset * 2);
  }
  return wide;
}
