import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ArtifactName } from '../../src/artifact.js';
import { artifactNameSchema } from '../../src/artifact.js';
import { episodeFileName } from '../../src/corpus-layout.js';
import type { EpisodeRecord } from '../../src/episode-record.js';
import { sha256Of } from '../store/digest.js';
import type { ArtifactValidator } from './artifact-validators.js';
import type { Finding } from './finding.js';

/** Checks that an episode's directory holds exactly what its record lists, byte for byte, each file valid in itself. */
export async function verifyFiles(
  directory: string,
  record: EpisodeRecord,
  validators: Readonly<Partial<Record<ArtifactName, ArtifactValidator>>>,
): Promise<Finding[]> {
  const episode = `${record.feedId}/${record.episodeId}`;
  const findings: Finding[] = [];
  const files = new Map<ArtifactName, string>();
  for (const [listed, expected] of Object.entries(record.files)) {
    const name = artifactNameSchema.parse(listed); // the record's schema has let no other through
    const content = await readFile(path.join(directory, name)).catch(() => undefined);
    const fault = faultOf(content, expected);
    if (fault !== undefined) findings.push({ episode, file: name, code: 'file', message: `${name} ${fault}` });
    else if (content !== undefined) files.set(name, content.toString('utf8'));
  }
  for (const [name, content] of files) {
    const faults = validators[name]?.(content, { episodeId: record.episodeId, files }) ?? [];
    for (const fault of faults) findings.push({ episode, file: name, code: 'format', message: `${name} ${fault}` });
  }
  const unlisted = (await readdir(directory)).filter(
    (name) => name !== episodeFileName && !(name in record.files) && artifactNameSchema.safeParse(name).success,
  );
  for (const file of unlisted) {
    findings.push({
      episode,
      file,
      code: 'file',
      message: `${file} is not listed in ${episodeFileName}: whose is it?`,
    });
  }
  return findings;
}

function faultOf(content: Buffer | undefined, expected: { sha256: string; bytes: number }): string | undefined {
  if (content === undefined) return 'is missing';
  if (content.length !== expected.bytes) return `has ${content.length} bytes; it was written with ${expected.bytes}`;
  return sha256Of(content) === expected.sha256 ? undefined : 'has been changed since it was written: wrong digest';
}
