import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run, type Ran } from '../support/holdfast.js';
import { repositoryRoot } from '../support/prepared.js';
import { useTemporaryDirectory } from '../support/temporary-directory.js';

/** Types into a terminal of its own, and waits for the last candidate. */
const zshSession = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'autoload -Uz compinit; compinit -u -D; source <(holdfast completion zsh); echo READY'
zpty -r -m shell said '*READY*READY*'
zpty -n -w shell $'holdfast reprocess --profile reprocess_d\\t\\t'
zpty -r -m shell said '*reprocess_dgx_turbo*'
print -r -- "$said"
`;

/** What bash does at the tab key, and what it then shows. */
const bashSession = (words: readonly string[]): string => `
source <(holdfast completion bash)
COMP_WORDS=(holdfast ${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length}
COMP_LINE="\${COMP_WORDS[*]}" COMP_POINT=\${#COMP_LINE}
__holdfast_complete 2>/dev/null
printf '%s\\n' "\${COMPREPLY[@]}"
complete -p holdfast
`;

function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, program)));
}

/** Runs a shell that finds `holdfast` on its PATH, as an installed one is. */
function shell(directory: string, ...command: string[]): Promise<Ran> {
  const bin = path.join(directory, 'bin');
  const program = path.join(bin, 'holdfast');
  mkdirSync(bin);
  const launcher = path.join(repositoryRoot, 'bin', 'holdfast.js');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${launcher}' "$@"\n`);
  chmodSync(program, 0o755);
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, TEMPORAL_ADDRESS: '127.0.0.1:1' };
  return run(command, { cwd: directory, env });
}

describe('holdfast completion', () => {
  const directory = useTemporaryDirectory();

  it('completes commands in bash, without the package bash-completion', async () => {
    const { stdout } = await shell(directory(), 'bash', '--norc', '-c', bashSession(['re']));

    expect(stdout.split('\n').slice(0, 3)).toEqual(expect.arrayContaining(['reprocess', 'resume']));
  });

  it('completes the names of profiles in bash', async () => {
    const { stdout } = await shell(
      directory(),
      'bash',
      '--norc',
      '-c',
      bashSession(['reprocess', '--profile', 'reprocess_v']),
    );

    expect(stdout.split('\n').slice(0, 2)).toEqual(['reprocess_v22_community1', 'reprocess_v23_turbo']);
  });

  it('leaves files to bash itself', async () => {
    const { stdout } = await shell(directory(), 'bash', '--norc', '-c', bashSession(['reprocess', '--feed', 'f']));

    expect(stdout.split('\n')).toEqual(['', 'complete -o default -F __holdfast_complete holdfast', '']);
  });
});

const fish = isOnPath('fish');
(fish ? describe : describe.skip)(`holdfast completion fish${fish ? '' : ' (skipped: no fish)'}`, () => {
  const directory = useTemporaryDirectory();

  it('completes options', async () => {
    const typed = 'holdfast completion fish | source; complete -C "holdfast up --mo"';
    const { stdout } = await shell(directory(), 'fish', '-c', typed);

    expect(stdout).toBe('--models-port\tof the local model service\n');
  });
});

const zsh = isOnPath('zsh');
(zsh ? describe : describe.skip)(`holdfast completion zsh${zsh ? '' : ' (skipped: no zsh)'}`, () => {
  const directory = useTemporaryDirectory();

  it('completes the names of profiles', async () => {
    const { stdout } = await shell(directory(), 'zsh', '-f', '-c', zshSession);

    expect(stdout).toContain('reprocess_dgx_no_llm');
  });
});
