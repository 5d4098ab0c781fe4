import { Option, type Command } from 'commander';

/** The options of `reprocess`, which `quickstart` takes as well. */
export function addReprocessOptions(command: Command): Command {
  return command
    .option('--feed <url|file>', 'an RSS feed')
    .option('--audio <files...>', 'audio files')
    .option('--from-corpus <dir>', 'the episodes of an existing corpus')
    .option('--only <file>', 'only the episodes in this file: one id or GUID a line')
    .option('--limit <n>', 'at most so many episodes, from the top')
    .option('--profile <name>', 'a shipped profile (see `holdfast profiles list`); default local')
    .option('--config <file>', 'a configuration file in place of a profile')
    .addOption(new Option('--set <knob=value...>', 'knobs that win over profile and configuration'))
    .option('--corpus-dir <dir>', "where the corpus is; default `corpus` in the worker's directory")
    .option('--window <n>', 'episodes in work at once, 1..100; default 6')
    .option('--batch-id <id>', 'name of the batch; the same name again reuses what is finished')
    .option('--json', 'print one JSON object');
}
