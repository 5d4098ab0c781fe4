import { execFile } from 'node:child_process';
import type { Environment } from './context.js';

export interface CommandOptions {
  readonly env: Environment;
  readonly timeoutMs: number;
  readonly cwd?: string;
}

/**
 * Runs a command without a shell and answers its output, both streams joined.
 * @throws Error naming the command, its exit and the end of what it printed.
 */
export function runCommand(file: string, args: readonly string[], options: CommandOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const settings = {
      env: { ...options.env },
      timeout: options.timeoutMs,
      cwd: options.cwd,
      maxBuffer: 16 * 1024 * 1024,
    };
    execFile(file, args, settings, (error, stdout, stderr) => {
      if (!error) {
        resolve(`${stdout}\n${stderr}`);
        return;
      }
      const what = error.killed === true ? `no answer within ${options.timeoutMs / 1000} s` : exitOf(error);
      reject(new Error(`${[file, ...args.slice(0, 3)].join(' ')}: ${what}${tail(stderr || stdout)}`));
    });
  });
}

function exitOf(error: { code?: string | number | null; signal?: NodeJS.Signals | null }): string {
  if (error.code === 'ENOENT') return 'no such program';
  if (error.code === 'EACCES') return 'not an executable file';
  return error.signal ? `ended by ${error.signal}` : `exit ${String(error.code)}`;
}

function tail(output: string): string {
  const lines = output.trim().split('\n').filter(Boolean).slice(-3);
  return lines.length === 0 ? '' : `: ${lines.join(' | ').slice(-500)}`;
}
