import { createFileArtifactStore } from '../../../activities/store/file-artifact-store.js';

// Run as a process of its own: stores ever new blobs until it is killed, or until writing fails. Arguments: corpus, bytes of a blob.
async function main(): Promise<void> {
  const store = createFileArtifactStore(process.argv[2] ?? '');
  const size = Number(process.argv[3]);
  for (let number = 0; ; number += 1) {
    const ref = await store.put(Buffer.alloc(size, `blob ${number} `));
    process.stdout.write(`${ref.sha256}\n`);
  }
}

main().catch((error: unknown) => {
  process.stdout.write(`${error instanceof Error ? `${error.name}: ${error.message}` : 'unknown'}\n`);
  process.exitCode = 1;
});
