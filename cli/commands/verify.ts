import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { findBatch } from '../../activities/corpus/find-batch.js';
import type { Finding } from '../../activities/corpus/finding.js';
import { type CheckedEpisode, verifyCorpus } from '../../activities/corpus/verify-corpus.js';
import { suggestion } from '../../src/nearest-name.js';
import { exitCodes, usageError } from '../command-error.js';
import { count, print, printJson } from '../output.js';

export function addVerifyCommand(program: Command): void {
  program
    .command('verify')
    .description('check a corpus: whole files, valid formats, one model a batch, nothing that nobody planned')
    .argument('<corpus-dir>', 'the corpus')
    .option('--batch <id>', 'only what this batch made')
    .option('--json', 'print one JSON object')
    .action(verify);
}

async function verify(directory: string, options: { batch?: string; json?: boolean }): Promise<void> {
  const corpusDir = path.resolve(directory);
  await requireCorpus(directory, options.batch);
  const findings: Finding[] = [];
  const checked: CheckedEpisode[] = [];
  const onEpisode = (episode: CheckedEpisode): void => {
    checked.push(episode);
  };
  const scope = options.batch === undefined ? {} : { batchId: options.batch };
  for await (const finding of verifyCorpus(corpusDir, { ...scope, onEpisode })) {
    findings.push(finding);
    if (options.json !== true) print(`${finding.episode}: ${finding.code}: ${finding.message}`);
  }
  const superseded = checked.flatMap(({ episode, supersededBy }) =>
    supersededBy === undefined ? [] : [{ episode, batchId: supersededBy }],
  );
  if (options.json === true) printJson({ corpusDir, episodes: checked.length, superseded, findings });
  else print(summaryOf(checked.length, findings.length, superseded));
  process.exitCode = findings.length === 0 ? exitCodes.allDone : exitCodes.failed;
}

async function requireCorpus(directory: string, batchId: string | undefined): Promise<void> {
  const entry = await stat(directory).catch(() => undefined);
  if (entry === undefined) throw usageError([`${directory} does not exist`]);
  if (!entry.isDirectory()) throw usageError([`${directory} is not a directory`]);
  if (batchId === undefined) return;
  const { isThere, known } = await findBatch(path.resolve(directory), batchId);
  if (!isThere) throw usageError([`there is no batch ${batchId} in ${directory}${suggestion(batchId, known)}`]);
}

function summaryOf(episodes: number, findings: number, superseded: readonly { readonly batchId: string }[]): string {
  const byBatch = new Map<string, number>();
  for (const { batchId } of superseded) byBatch.set(batchId, (byBatch.get(batchId) ?? 0) + 1);
  const others = [...byBatch].map(([batchId, number]) => `${number} superseded by batch ${batchId}`);
  return `${[`${count(episodes, 'episode')} checked`, count(findings, 'finding'), ...others].join(', ')}.`;
}
