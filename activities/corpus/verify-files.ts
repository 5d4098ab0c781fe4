import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ArtifactName } from '../../src/artifact.js';
import { artifactNames, artifactNameSchema } from '../../src/artifact.js';
import { blobPath, episodeDir, episodeFileName } from '../../src/corpus-layout.js';
import type { EpisodeRecord } from '../../src/episode-record.js';
import { sha256Of } from '../store/digest.js';
import type { ArtifactValidator } from './artifact-validators.js';
import type { Finding } from './finding.js';

type Validators = Readonly<Partial<Record<ArtifactName, ArtifactValidator>>>;
type Listed = NonNullable<EpisodeRecord['files'][ArtifactName]>;

/** Finds the bytes of a file that a record lists; undefined: they are not there. */
export type FileReader = (name: ArtifactName, listed: Listed) => Promise<Buffer | undefined>;

/** The readable files in an episode's directory. */
export function filesIn(directory: string): FileReader {
  return (name) => readFile(path.join(directory, name)).catch(() => undefined);
}

/** Checks that an episode's directory holds exactly what its record lists, byte for byte, each file valid in itself. */
export async function verifyFiles(
  directory: string,
  record: EpisodeRecord,
  validators: Validators,
): Promise<Finding[]> {
  const findings = await verifyContents(record, filesIn(directory), validators);
  const unlisted = (await readdir(directory)).filter((name) => isUnlisted(name, record));
  const message = `is not listed in ${episodeFileName}: whose is it?`;
  const episode = episodeDir(record);
  return [
    ...findings,
    ...unlisted.map((file): Finding => ({ episode, file, code: 'file', message: `${file} ${message}` })),
  ];
}

/** An artifact that the record does not list; files of other people's are none of ours. */
export function isUnlisted(name: string, record: EpisodeRecord): boolean {
  return artifactNames.some((artifact) => artifact === name && record.files[artifact] === undefined);
}

/**
 * Checks what the store still holds of an episode whose place another batch has taken in the readable folder. What is
 * there no more is not owed.
 */
export async function verifyKeptFiles(
  corpusDir: string,
  record: EpisodeRecord,
  validators: Validators,
): Promise<Finding[]> {
  const read: FileReader = (_, { sha256 }) => readFile(path.join(corpusDir, blobPath(sha256))).catch(() => undefined);
  const kept: [string, Listed][] = [];
  for (const [name, listed] of listedIn(record)) {
    if ((await read(name, listed)) !== undefined) kept.push([name, listed]);
  }
  const found = await verifyContents({ ...record, files: Object.fromEntries(kept) }, read, validators);
  return found.map((finding) => ({ ...finding, message: `${finding.message} (its copy in the store)` }));
}

/** The files that a record lists and that are not there, byte for byte. */
export async function faultyFiles(
  record: EpisodeRecord,
  read: FileReader,
): Promise<({ readonly name: ArtifactName } & Listed)[]> {
  const faulty: ({ readonly name: ArtifactName } & Listed)[] = [];
  for (const [name, listed] of listedIn(record)) {
    if (faultOf(await read(name, listed), listed) !== undefined) faulty.push({ name, ...listed });
  }
  return faulty;
}

async function verifyContents(record: EpisodeRecord, read: FileReader, validators: Validators): Promise<Finding[]> {
  const episode = episodeDir(record);
  const findings: Finding[] = [];
  const files = new Map<ArtifactName, string>();
  for (const [name, listed] of listedIn(record)) {
    const content = await read(name, listed);
    const fault = faultOf(content, listed);
    if (fault !== undefined) findings.push({ episode, file: name, code: 'file', message: `${name} ${fault}` });
    else if (content !== undefined) files.set(name, content.toString('utf8'));
  }
  for (const [name, content] of files) {
    const faults = validators[name]?.(content, { episodeId: record.episodeId, files }) ?? [];
    for (const fault of faults) findings.push({ episode, file: name, code: 'format', message: `${name} ${fault}` });
  }
  return findings;
}

function listedIn({ files }: EpisodeRecord): [ArtifactName, Listed][] {
  // The record's schema has let no other name through.
  return Object.entries(files).map(([name, listed]) => [artifactNameSchema.parse(name), listed]);
}

function faultOf(content: Buffer | undefined, expected: Listed): string | undefined {
  if (content === undefined) return 'is missing';
  if (content.length !== expected.bytes) return `has ${content.length} bytes; it was written with ${expected.bytes}`;
  return sha256Of(content) === expected.sha256 ? undefined : 'has been changed since it was written: wrong digest';
}
