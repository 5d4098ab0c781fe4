import type { EpisodeReport } from '../src/batch.js';
import { stageCounts, type BatchOutcome, type BatchReport } from './batch-outcome.js';
import { exitCodes } from './command-error.js';
import { commandWord } from './command-word.js';
import { count, print, printJson } from './output.js';

/** Prints how a batch ended or stands: one JSON object, or lines for people. */
export function printOutcome(
  { exitCode, report }: BatchOutcome,
  options: { readonly json?: boolean | undefined },
): void {
  if (options.json === true) {
    printJson(report);
    return;
  }
  print(`Batch ${report.batchId}: ${report.why}`);
  for (const episode of report.episodes) if (episode.state !== 'done') print(`  ${describe(episode)}`);
  for (const finding of report.findings) print(`  verify: ${finding}`);
  if (report.episodes.length > 0 && report.done > 0) print(callsSentence(report));
  if (exitCode === exitCodes.halted && report.state === 'halted') {
    const [resume, abort] = ['resume', 'abort'].map((order) => `${commandWord()} ${order} ${report.batchId}`);
    print(`It waits for a decision: ${resume}, or ${abort}`);
  }
  if (report.corpusDir !== undefined) print(`Corpus: ${report.corpusDir}`);
}

function describe({ episodeId, state, reason }: Pick<EpisodeReport, 'episodeId' | 'state' | 'reason'>): string {
  return `${episodeId} ${state}${reason === undefined ? '' : `: ${reason}`}`;
}

/** Says whether models were called, and how much was there already. */
export function callsSentence(report: BatchReport): string {
  const { all, reused, called } = stageCounts(report);
  if (called === 0) return `0 model calls: all ${count(all, 'stage')} reused.`;
  return `${count(called, 'stage')} executed, ${reused} reused.`;
}
