import type { Command } from 'commander';

/** Shown below a command's help, by its words. */
const examples: Readonly<Record<string, readonly string[]>> = {
  up: ['holdfast up', 'holdfast up --data-dir /srv/holdfast --port 7300 --ui-port 8300'],
  reprocess: [
    'holdfast reprocess --feed https://example.com/feed.xml --limit 5',
    'holdfast reprocess --audio talk.mp3 panel.mp3 --batch-id talks',
    'holdfast reprocess --feed feed.xml --profile reprocess_dgx_turbo --set resilience_on_open_max_wait_sec=3600',
    'holdfast reprocess --from-corpus corpus --only ids.txt --detach',
  ],
  status: ['holdfast status spring', 'holdfast status spring --json'],
  watch: ['holdfast watch spring'],
  pause: ['holdfast pause spring --reason "the GPU is needed until noon"'],
  resume: ['holdfast resume spring'],
  abort: ['holdfast abort spring --reason "wrong profile"'],
  endpoints: [
    'holdfast endpoints',
    'holdfast endpoints probe dgx-speaches',
    'holdfast endpoints isolate dgx-speaches --reason "driver upgrade"',
    'holdfast endpoints reset dgx-speaches',
  ],
  'endpoints probe': ['holdfast endpoints probe dgx-speaches'],
  'endpoints isolate': ['holdfast endpoints isolate dgx-speaches --reason "driver upgrade"'],
  'endpoints reset': ['holdfast endpoints reset dgx-speaches'],
  report: ['holdfast report spring', 'holdfast report spring -o report.html'],
  verify: ['holdfast verify corpus', 'holdfast verify corpus --batch spring --json'],
  profiles: ['holdfast profiles list', 'holdfast profiles show reprocess_dgx_turbo > holdfast.config.yaml'],
  'profiles list': ['holdfast profiles list'],
  'profiles show': ['holdfast profiles show reprocess_dgx_turbo > mine.yaml'],
  'profiles materialize': ['holdfast profiles materialize --dir profiles'],
  'profiles check': ['holdfast profiles check --dir profiles'],
  doctor: ['holdfast doctor', 'holdfast doctor --profile reprocess_dgx_turbo'],
  setup: ['holdfast setup', 'TEMPORAL_ADDRESS=temporal:7233 holdfast setup --search-attributes'],
  replay: ['holdfast replay', 'TEMPORAL_ADDRESS=temporal:7233 holdfast replay --json'],
  temporal: [
    'holdfast temporal workflow query -w reprocess-batch/spring --name status',
    'TEMPORAL_ADDRESS=127.0.0.1:7300 holdfast temporal workflow list',
  ],
  worker: [
    'holdfast worker',
    'TEMPORAL_ADDRESS=temporal:7233 holdfast worker --config /etc/holdfast/holdfast.config.yaml',
  ],
  quickstart: ['holdfast quickstart', 'holdfast quickstart --audio talk.mp3'],
};

/** To every command that has some; call when all are added. */
export function addExamples(command: Command, words: readonly string[] = []): void {
  const lines = examples[words.join(' ')];
  if (lines !== undefined)
    command.addHelpText('after', ['\nExamples:', ...lines.map((line) => `  ${line}`)].join('\n'));
  for (const inner of command.commands) addExamples(inner, [...words, inner.name()]);
}
