const sampleRate = 16_000;
const durationSec = 1;
const toneHz = 440;

/** One second of a quiet tone as WAV (16-bit mono, 32 KB): the same bytes every time, so that a service may cache it. */
export function probeAudio(): Blob {
  const samples = sampleRate * durationSec;
  const bytes = Buffer.alloc(44 + samples * 2);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(sampleRate, 24);
  bytes.writeUInt32LE(sampleRate * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(samples * 2, 40);
  for (let sample = 0; sample < samples; sample++) {
    bytes.writeInt16LE(Math.round(4000 * Math.sin((2 * Math.PI * toneHz * sample) / sampleRate)), 44 + sample * 2);
  }
  return new Blob([bytes], { type: 'audio/wav' });
}
