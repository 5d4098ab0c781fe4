import type { BatchInput } from '../../src/batch.js';
import { shellWord } from '../shell-word.js';
import type { ReportFacts } from './facts.js';

/** Something an operator can do now, and the command for it. */
export interface Step {
  readonly text: string;
  readonly command?: string;
}

/** What to do next, most useful first; depends on nothing but the state the batch is in. */
export function nextSteps(facts: ReportFacts): Step[] {
  const id = shellWord(facts.batchId);
  if (facts.isSilent === true) {
    return [
      {
        text: 'Nothing goes on until a worker runs. Start one, then make this report anew:',
        command: 'holdfast worker',
      },
    ];
  }
  if (!facts.isOpen && facts.requested === 0) {
    return [{ text: 'It ended before its episodes were listed. Mend what it says above, and start it again.' }];
  }
  switch (facts.state) {
    case 'halted':
      return [...mendSteps(facts), ...haltSteps(id)];
    case 'holding':
      return holdSteps(facts, id);
    case 'paused':
      return [
        { text: 'Go on where it stopped:', command: `holdfast resume ${id}` },
        { text: 'Or end it; what is finished stays:', command: `holdfast abort ${id}` },
      ];
    case 'running':
      return [
        { text: 'Nothing to do: it runs. Follow it:', command: `holdfast watch ${id}` },
        ...(facts.failed > 0 ? [{ text: 'What has failed so far can be run again once it has ended.' }] : []),
      ];
    case 'aborting':
      return [{ text: 'Calls in flight are being stopped. Wait for its end:', command: `holdfast watch ${id}` }];
    case 'completed':
      return verifySteps(facts);
    case 'failed':
      return [
        ...rerunSteps(facts, 'Run it again once the causes are mended: only what has failed is computed.'),
        ...verifySteps(facts),
      ];
    case 'aborted':
    case 'cancelled':
      return [
        ...rerunSteps(facts, 'Go on under the same id: what is finished is not computed again.'),
        ...verifySteps(facts),
      ];
  }
}

/** What a person must see to before a `resume` helps. */
function mendSteps({ halts }: ReportFacts): Step[] {
  if (halts.length === 0) return [{ text: 'Too many episodes failed: read their reasons below first.' }];
  return halts.map(({ endpointId, reason, failureType }) => ({
    text: `Mend endpoint ${endpointId} (${failureType}: ${reason}), then see whether a probe gets through:`,
    command: `holdfast endpoints probe ${shellWord(endpointId)}`,
  }));
}

function haltSteps(id: string): Step[] {
  return [
    { text: 'Then go on with the same model:', command: `holdfast resume ${id}` },
    { text: 'Or end it; what is finished stays:', command: `holdfast abort ${id}` },
  ];
}

function holdSteps({ waitsFor }: ReportFacts, id: string): Step[] {
  const halting = waitsFor.flatMap(({ haltsAtMs }) => haltsAtMs ?? []);
  const until =
    halting.length === 0 ? '' : ` It halts at ${new Date(Math.min(...halting)).toISOString()} unless it recovers.`;
  return [
    {
      text: `Nothing to do: it goes on by itself when the endpoint answers.${until}`,
      command: `holdfast status ${id}`,
    },
    ...waitsFor.map(({ endpointId }) => ({
      text: `Sure that ${endpointId} is back? Probe it now instead of at its time:`,
      command: `holdfast endpoints probe ${shellWord(endpointId)}`,
    })),
  ];
}

function verifySteps({ corpusDir, batchId }: ReportFacts): Step[] {
  const where = corpusDir === undefined ? '<corpus-dir>' : shellWord(corpusDir);
  return [
    {
      text: 'Check the corpus: whole files, valid formats, one model a stage:',
      command: `holdfast verify ${where} --batch ${shellWord(batchId)}`,
    },
  ];
}

function rerunSteps({ input, batchId, failed, remaining }: ReportFacts, text: string): Step[] {
  if (failed + remaining === 0) return [];
  if (input === undefined)
    return [{ text: `${text} Give \`holdfast reprocess\` the same source and --batch-id ${batchId}.` }];
  return [{ text, command: rerunCommand(batchId, input) }];
}

/** The same batch again, by the command line. */
export function rerunCommand(batchId: string, input: BatchInput): string {
  const { source, only, limit, profile, config, overrides = {}, window, corpusDir } = input;
  const option = (flag: string, value: string | number | undefined): string[] =>
    value === undefined ? [] : [flag, shellWord(String(value))];
  const knobs = Object.entries(overrides).map(([knob, value]) => shellWord(`${knob}=${knobText(value)}`));
  const words = [
    'holdfast reprocess',
    ...sourceWords(source),
    ...(only === undefined ? [] : ['--only <file with its ids>']),
    ...option('--limit', limit),
    ...option('--profile', profile),
    ...option('--config', config),
    ...(knobs.length === 0 ? [] : ['--set', ...knobs]),
    ...option('--window', window),
    ...option('--corpus-dir', corpusDir),
    ...option('--batch-id', batchId),
  ];
  return words.join(' ');
}

const filesSpeltOut = 50;

function sourceWords(source: BatchInput['source']): string[] {
  if ('feed' in source) return ['--feed', feedWord(source.feed)];
  if ('corpus' in source) return ['--from-corpus', shellWord(source.corpus)];
  const { audio } = source;
  return ['--audio', ...(audio.length > filesSpeltOut ? [`<the same ${audio.length} files>`] : audio.map(shellWord))];
}

/** What follows the host of an address may be a subscriber's token, and a report is sent around. */
function feedWord(feed: string): string {
  return URL.canParse(feed) ? `<its feed at ${new URL(feed).hostname}>` : shellWord(feed);
}

function knobText(value: NonNullable<BatchInput['overrides']>[string]): string {
  return Array.isArray(value) ? value.join(',') : String(value);
}
