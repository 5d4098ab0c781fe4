/** Exit codes (design.md section 9). */
export const exitCodes = { allDone: 0, failed: 1, usage: 2, halted: 3, aborted: 4 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
/** What a shell reports of a program that Ctrl-C has ended. */
export const interruptedExitCode = 130;

/** Ends a command with a message for its user and an exit code; never shown with a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  constructor(
    message: string,
    readonly exitCode: ExitCode | typeof interruptedExitCode = exitCodes.failed,
  ) {
    super(message);
  }
}

/** What was asked for cannot be done as it was asked: every fault at once, each with what is allowed. */
export function usageError(faults: readonly string[]): CommandError {
  const text =
    faults.length === 1 ? faults.join('') : `${faults.length} faults:${faults.map((fault) => `\n  ${fault}`).join('')}`;
  return new CommandError(text, exitCodes.usage);
}
