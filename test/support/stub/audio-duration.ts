const mpegBitratesKbps = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const mpeg2BitratesKbps = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];

/**
 * Seconds of audio in a file of which the beginning is at hand: exact for WAV, from the first frame's bitrate for
 * MP3, else as if it were 64 kbit/s. Good enough for a service that only makes up what was said.
 */
export function audioDurationSec(head: Buffer, totalBytes: number): number {
  return wavDurationSec(head, totalBytes) ?? mp3DurationSec(head, totalBytes) ?? totalBytes / 8000;
}

function wavDurationSec(head: Buffer, totalBytes: number): number | undefined {
  if (head.length < 44 || head.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  const bytesPerSecond = head.readUInt32LE(28);
  return bytesPerSecond === 0 ? undefined : Math.max(0, totalBytes - 44) / bytesPerSecond;
}

function mp3DurationSec(head: Buffer, totalBytes: number): number | undefined {
  for (let at = id3Bytes(head); at + 4 <= head.length; at++) {
    const kbps = frameKbps(head, at);
    if (kbps !== undefined) return ((totalBytes - at) * 8) / (kbps * 1000);
  }
  return undefined;
}

function id3Bytes(head: Buffer): number {
  if (head.toString('latin1', 0, 3) !== 'ID3' || head.length < 10) return 0;
  const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6, 10);
  return 10 + ((a & 127) << 21) + ((b & 127) << 14) + ((c & 127) << 7) + (d & 127);
}

function frameKbps(head: Buffer, at: number): number | undefined {
  const second = head[at + 1] ?? 0;
  if (head[at] !== 0xff || (second & 0xe0) !== 0xe0 || (second & 0x06) !== 0x02) return undefined;
  const table = (second & 0x18) === 0x18 ? mpegBitratesKbps : mpeg2BitratesKbps;
  const kbps = table[(head[at + 2] ?? 0) >> 4];
  return kbps === undefined || kbps === 0 ? undefined : kbps;
}
