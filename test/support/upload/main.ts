import { providerClients, type HttpWireShape } from '../../../activities/providers/index.js';
import type { AudioRef } from '../../../src/artifact.js';
import type { Service } from '../../../activities/providers/provider.js';

/** Uploads one file in a process of its own and prints by how many bytes the process grew at most. */
async function main(): Promise<void> {
  const { audio, service } = JSON.parse(process.argv[2] ?? '{}') as { audio: AudioRef; service: Service };
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  const client = providerClients[service.wire as HttpWireShape];
  const answer = await client.transcribe?.(audio, service, {
    cancellation: new AbortController().signal,
    deadlineMs: 100_000,
  });
  clearInterval(timer);
  console.log(JSON.stringify({ grownBytes: most - before, segments: answer?.transcript.segments.length }));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
