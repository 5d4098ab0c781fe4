import { existsSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../setup/context.js';
import { shellWord } from './shell-word.js';

/**
 * What a user types to run this program from here: `holdfast` where the PATH has it, `npx holdfast` in a checkout, else
 * `node` and the path. Every sentence that tells what to type next begins with it.
 */
export function commandWord(): string {
  if (isOnPath('holdfast')) return 'holdfast';
  const root = projectRoot();
  const [first] = path.relative(root, process.cwd()).split(path.sep);
  return first === '..' ? `node ${shellWord(path.join(root, 'bin', 'holdfast.js'))}` : 'npx holdfast';
}

/** A command line of ours that can be pasted as it stands: for a server that would not be dialled, its address comes first. */
export function commandLine(
  words: string,
  { address, dialled }: { readonly address: string; readonly dialled: string },
): string {
  const prefix = loopback(address) === loopback(dialled) ? '' : `TEMPORAL_ADDRESS=${address} `;
  return `${prefix}${commandWord()} ${words}`;
}

function loopback(address: string): string {
  return address.replace(/^localhost:/, '127.0.0.1:');
}

/** npm and npx put folders of their own before the PATH: what they find there, the user's shell does not. */
function isOnPath(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => !folder.includes('node_modules') && existsSync(path.join(folder, program)));
}
