import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import type { Finding } from '../../activities/corpus/finding.js';
import { verifyCorpus } from '../../activities/corpus/verify-corpus.js';
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
  const entry = await stat(corpusDir).catch(() => undefined);
  if (entry?.isDirectory() !== true) throw usageError([`${directory} is not a directory`]);
  const findings: Finding[] = [];
  let episodes = 0;
  const heartbeat = (checked: number): void => {
    episodes = checked;
  };
  const scope = options.batch === undefined ? {} : { batchId: options.batch };
  for await (const finding of verifyCorpus(corpusDir, { ...scope, heartbeat })) {
    findings.push(finding);
    if (options.json !== true) print(`${finding.episode}: ${finding.code}: ${finding.message}`);
  }
  if (options.json === true) printJson({ corpusDir, episodes, findings });
  else print(`${count(episodes, 'episode')} checked, ${count(findings.length, 'finding')}.`);
  process.exitCode = findings.length === 0 ? exitCodes.allDone : exitCodes.failed;
}
