import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { StageIdentity } from '../../src/stage-key.js';
import { stageIdentityText } from '../../src/stage-key.js';

/** sha256 of bytes, or of text as UTF-8, as lower-case hex. */
export function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Digest and size of a file of any size, in constant memory. Cancellation ends it. */
export async function digestFile(
  file: string,
  cancellation?: AbortSignal,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file, { signal: cancellation, highWaterMark: 1 << 20 })) {
    const buffer = chunk as Buffer; // a stream without an encoding gives buffers
    hash.update(buffer);
    bytes += buffer.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** `StageRecord.key` of an identity. */
export function stageKeyOf(identity: StageIdentity): string {
  return sha256Of(stageIdentityText(identity));
}
