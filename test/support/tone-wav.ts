const sampleRate = 8000;
const seconds = 2;

/** Two seconds of a tone as a WAV file: short enough to upload a thousand times, long enough to be audio. */
export function toneWav(hertz: number): Buffer {
  const samples = Buffer.alloc(sampleRate * seconds * 2);
  for (let n = 0; n < sampleRate * seconds; n += 1) {
    samples.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * hertz * n) / sampleRate)), 2 * n);
  }
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}
