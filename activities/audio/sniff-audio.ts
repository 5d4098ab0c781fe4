import { open } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import { nameContent } from '../source/name-content.js';

/** What a file's bytes say it is; `demuxer` is ffmpeg's name of the container. */
export type SniffedFile =
  | { readonly kind: 'audio'; readonly format: string; readonly demuxer: string }
  /** `what` follows "it is". */
  | { readonly kind: 'other'; readonly what: string };

const headBytes = 64 * 1024;

/** Looks at the first bytes of a file (past an ID3 tag), whatever its name or a server says. */
export async function sniffAudioFile(file: string): Promise<SniffedFile> {
  const handle = await open(file, 'r');
  try {
    const head = await readAt(0);
    const tagBytes = id3Bytes(head);
    if (tagBytes === undefined) return sniffAudio(head);
    const tagged = sniffAudio(await readAt(tagBytes));
    // An ID3 tag promises an MP3; where its first frame is not found right after it, the decoder searches on.
    return tagged.kind === 'audio' ? tagged : audio('mp3');
  } finally {
    await handle.close();
  }

  async function readAt(position: number): Promise<Buffer> {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, position);
    return buffer.subarray(0, bytesRead);
  }
}

/** Containers that begin with fixed bytes; formats are named by the extension that services expect. */
const magics: readonly { readonly format: string; readonly at: number; readonly bytes: string }[] = [
  { format: 'flac', at: 0, bytes: 'fLaC' },
  { format: 'opus', at: 28, bytes: 'OpusHead' },
  { format: 'ogg', at: 0, bytes: 'OggS' },
  { format: 'wav', at: 8, bytes: 'WAVE' },
  { format: 'm4a', at: 4, bytes: 'ftyp' },
  { format: 'webm', at: 0, bytes: '\x1A\x45\xDF\xA3' },
];

const demuxers: Readonly<Record<string, string>> = { opus: 'ogg', m4a: 'mov', webm: 'matroska' };

function sniffAudio(head: Buffer): SniffedFile {
  if (head.length === 0) return { kind: 'other', what: 'empty (0 bytes)' };
  const magic = magics.find(({ at, bytes }) => head.toString('latin1', at, at + bytes.length) === bytes);
  if (magic !== undefined) return audio(magic.format);
  const text = textOf(head);
  if (text !== undefined) return { kind: 'other', what: nameContent(text) };
  const frame = firstFrame(head);
  return frame === undefined ? { kind: 'other', what: 'data of a kind that is not known as audio' } : audio(frame);
}

function audio(format: string): SniffedFile {
  return { kind: 'audio', format, demuxer: demuxers[format] ?? format };
}

/** MPEG audio has no magic: a frame begins with eleven set bits, and the next bits tell MP3 from AAC. */
function firstFrame(head: Buffer): 'mp3' | 'aac' | undefined {
  for (let at = head.indexOf(0xff); at !== -1; at = head.indexOf(0xff, at + 1)) {
    const [, second = 0, third = 0xff] = head.subarray(at, at + 3);
    if ((second & 0xf6) === 0xf0) return 'aac';
    const layer3 = (second & 0xe6) === 0xe2;
    if (layer3 && (second & 0x18) !== 0x08 && third >> 4 !== 0xf && (third & 0x0c) !== 0x0c) return 'mp3';
  }
  return undefined;
}

/** Size of the ID3v2 tag at the start, header included; its four size bytes carry seven bits each. */
function id3Bytes(head: Buffer): number | undefined {
  if (head.toString('latin1', 0, 3) !== 'ID3' || head.length < 10) return undefined;
  return 10 + head.subarray(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7f), 0);
}

/** The head as text, if it is text: UTF-8 without control characters. */
function textOf(head: Buffer): string | undefined {
  try {
    // `stream`: the head may end in the middle of a character.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return /\p{Cc}/u.test(text.replace(/[\t\n\r\f]/g, '')) ? undefined : text;
  } catch {
    return undefined;
  }
}
