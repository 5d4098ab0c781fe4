import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { batchInputSchema, type BatchInput, type BatchSource } from '../src/batch.js';
import { inputFaults } from '../src/input-faults.js';
import { parseAssignments, parseKnobs } from '../src/knobs.js';
import { presetNames, unknownProfile } from '../src/presets.js';
import { slug } from '../src/safe-name.js';
import { usageError } from './command-error.js';

/** Options of `holdfast reprocess`, as the command line gives them. */
export interface ReprocessOptions {
  readonly feed?: string;
  readonly audio?: readonly string[];
  readonly fromCorpus?: string;
  /** A file with one episode id or GUID a line. */
  readonly only?: string;
  readonly limit?: string;
  readonly profile?: string;
  readonly config?: string;
  /** `knob=value`, each. */
  readonly set?: readonly string[];
  readonly corpusDir?: string;
  readonly window?: string;
  readonly batchId?: string;
  readonly detach?: boolean;
  readonly json?: boolean;
}

export interface BatchOrder {
  readonly batchId: string;
  readonly input: BatchInput;
}

/** Where the command was given, and when. */
export interface Circumstances {
  /** Relative paths start here: the worker's working directory may be another. */
  readonly workingDir: string;
  readonly now: Date;
}

/**
 * The batch that a command line asks for. @throws {CommandError} (usage) with every fault at once
 */
export async function batchOrderOf(options: ReprocessOptions, circumstances: Circumstances): Promise<BatchOrder> {
  const { workingDir } = circumstances;
  const faults: string[] = [];
  const source = sourceOf(options, workingDir, faults);
  checkPlaces(options, workingDir, faults);
  const overrides = overridesOf(options, faults);
  checkProfile(options, faults);
  const raw = {
    source,
    only: await readIds(options.only, workingDir, faults),
    limit: wholeNumber(options.limit, { flag: '--limit', most: 1_000_000 }, faults),
    profile: options.profile,
    config: absolute(options.config, workingDir),
    overrides,
    window: wholeNumber(options.window, { flag: '--window', most: 100 }, faults),
    corpusDir: absolute(options.corpusDir, workingDir),
  };
  const given = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined));
  const parsed = batchInputSchema.safeParse(given);
  if (source !== undefined && !parsed.success) {
    faults.push(...inputFaults(parsed.error, { schema: batchInputSchema, input: given }));
  }
  const batchId = options.batchId ?? defaultBatchId(source, circumstances.now);
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(batchId)) {
    faults.push(`--batch-id: got "${batchId}", allowed: letters, digits, ".", "_" and "-", at most 100`);
  }
  if (faults.length > 0 || !parsed.success) throw usageError(faults);
  return { batchId, input: parsed.data };
}

function sourceOf(options: ReprocessOptions, workingDir: string, faults: string[]): BatchSource | undefined {
  const { feed, audio, fromCorpus } = options;
  const given = [feed, audio, fromCorpus].filter((source) => source !== undefined);
  if (given.length !== 1) {
    faults.push(
      `give exactly one of --feed, --audio and --from-corpus, got ${given.length === 0 ? 'none' : 'several'}`,
    );
    return undefined;
  }
  if (feed !== undefined) return { feed: isUrl(feed) ? feed : path.resolve(workingDir, feed) };
  if (audio !== undefined) return { audio: audio.map((file) => path.resolve(workingDir, file)) };
  return { corpus: path.resolve(workingDir, fromCorpus ?? '') };
}

/** What is given relative to here is looked for here; an absolute path may be the worker's, on another machine. */
function checkPlaces({ feed, fromCorpus }: ReprocessOptions, workingDir: string, faults: string[]): void {
  for (const [flag, place] of Object.entries({ '--feed': feed, '--from-corpus': fromCorpus })) {
    if (place === undefined || isUrl(place) || path.isAbsolute(place)) continue;
    if (!existsSync(path.resolve(workingDir, place))) faults.push(`${flag}: ${place} does not exist`);
  }
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(text);
}

function absolute(file: string | undefined, workingDir: string): string | undefined {
  return file === undefined ? undefined : path.resolve(workingDir, file);
}

/** Texts, as they are: the knob's own schema reads them once more where the plan is made. */
function overridesOf({ set }: ReprocessOptions, faults: string[]): Record<string, string> | undefined {
  if (set === undefined) return undefined;
  const { raw, faults: malformed } = parseAssignments(set);
  faults.push(...malformed, ...parseKnobs(raw, '--set').faults);
  return raw;
}

function checkProfile({ profile, config }: ReprocessOptions, faults: string[]): void {
  if (profile !== undefined && config !== undefined) faults.push('give --profile or --config, not both');
  if (profile !== undefined && !presetNames.includes(profile)) faults.push(`--profile: ${unknownProfile(profile)}`);
}

async function readIds(
  file: string | undefined,
  workingDir: string,
  faults: string[],
): Promise<readonly string[] | undefined> {
  if (file === undefined) return undefined;
  try {
    const lines = (await readFile(path.resolve(workingDir, file), 'utf8')).split(/\r?\n/);
    const ids = lines.map((line) => line.trim()).filter((line) => line !== '');
    if (ids.length === 0) faults.push(`--only: ${file} names no episode; expected one id or GUID a line`);
    return ids.length === 0 ? undefined : ids;
  } catch {
    faults.push(`--only: ${file} cannot be read`);
    return undefined;
  }
}

function wholeNumber(
  text: string | undefined,
  { flag, most }: { readonly flag: string; readonly most: number },
  faults: string[],
): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() !== '' && Number.isInteger(number) && number >= 1 && number <= most) return number;
  faults.push(`${flag}: got "${text}", allowed: a whole number from 1 to ${most}`);
  return undefined;
}

/** Names that say nothing of the feed they are the name of. */
const plainNames = new Set(['feed', 'rss', 'index', 'podcast']);

/** Readable and unique: what it is about, and when it was asked for. */
function defaultBatchId(source: BatchSource | undefined, now: Date): string {
  const time = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${slug(subjectOf(source), 40) || 'batch'}-${time}`;
}

function subjectOf(source: BatchSource | undefined): string {
  if (source === undefined) return '';
  if ('corpus' in source) return path.basename(source.corpus);
  const place = 'feed' in source ? source.feed : (source.audio[0] ?? '');
  // Of an address only the host: what follows may be the subscriber's token.
  if (URL.canParse(place)) return new URL(place).hostname.replace(/^www\./, '') || digestOf(place);
  const name = path.basename(place).replace(/\.[^.]*$/, '');
  return plainNames.has(name.toLowerCase()) ? path.basename(path.dirname(place)) : name;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
