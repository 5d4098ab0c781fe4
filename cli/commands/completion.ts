import { script } from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import type { Argument, Command, Option } from 'commander';
import { endpointDefaults } from '../../src/model-registry-endpoints.js';
import { presetNames } from '../../src/presets.js';
import { print } from '../output.js';
import { recentBatches } from '../recent-batches.js';

const examples = `
Examples:
  bash   source <(holdfast completion bash)
  zsh    source <(holdfast completion zsh)
  fish   holdfast completion fish | source

Put the line into your shell's start-up file. The scripts call \`holdfast\` by this name: where it is not on the PATH,
define it first, e.g. holdfast() { npx --prefix ~/holdfast holdfast "$@"; }`;

/**
 * What the library's script for bash lacks: a stand-in for the one function of the package bash-completion that it needs,
 * and the shell's own completion of files where we offer nothing.
 */
const forBash = `
declare -F _get_comp_words_by_ref >/dev/null || _get_comp_words_by_ref() {
    cword=$COMP_CWORD words=("\${COMP_WORDS[@]}")
    cur=\${words[cword]} prev=\${words[cword-1]}
}
complete -o default -F __holdfast_complete holdfast`;

/** Answers of the shell protocol of @bomb.sh/tab: candidates, then what the shell may add of its own. */
const directive = { files: ':0', nothing: ':4' } as const;

/** What a user may write here, by the name of the placeholder in the help. */
const values: Readonly<Record<string, () => Promise<readonly string[]> | readonly string[]>> = {
  batchId: recentBatches,
  endpointId: () => Object.keys(endpointDefaults),
  name: () => presetNames,
};

/** Placeholders that mean a place on the disk. */
const isPlace = (placeholder: string): boolean => /file|dir/.test(placeholder);

/** Has to be added last: it offers what is there already. */
export function addCompletionCommand(program: Command): void {
  const completion = tab(program, { completionCommandName: 'completion' });
  const named = (wanted: string): Command | undefined => program.commands.find((command) => command.name() === wanted);
  named('completion')
    ?.description('print the completion script of a shell')
    .addHelpText('after', examples)
    .action((shell: string) => {
      script(shell, program.name(), program.name());
      if (shell === 'bash') print(forBash);
    });
  named('complete')?.action(async (words: string[]) => {
    const placeholder = placeholderAt(program, words);
    const current = words.at(-1) ?? '';
    const known = placeholder === undefined || current.startsWith('-') ? undefined : values[placeholder];
    if (known !== undefined) {
      const candidates = (await known()).filter((value) => value.startsWith(current));
      print([...candidates, directive.nothing].join('\n'));
    } else if (placeholder !== undefined && isPlace(placeholder) && !current.startsWith('-')) print(directive.files);
    else completion.parse(words);
  });
}

/** The placeholder in the help for the last of these words: of an option's value, or of an argument. */
function placeholderAt(program: Command, words: readonly string[]): string | undefined {
  let command = program;
  let option: Option | undefined;
  let position = 0;
  for (const word of words.slice(0, -1)) {
    const named = command.options.find(({ long, short }) => word === long || word === short);
    const inner = command.commands.find((each) => each.name() === word);
    if (word.startsWith('-')) option = named !== undefined && takesValue(named) ? named : undefined;
    else if (option !== undefined) option = option.variadic ? option : undefined;
    else if (inner !== undefined) command = inner;
    else position += 1;
  }
  return option === undefined ? nameOf(command.registeredArguments[position]) : placeholderOf(option);
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

function nameOf(argument: Argument | undefined): string | undefined {
  return argument?.name();
}

/** `name` of `--profile <name>`. */
function placeholderOf({ flags }: Option): string | undefined {
  return /[<[]([^>\]]+)[>\]]/.exec(flags)?.[1];
}
