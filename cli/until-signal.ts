import { interruptedExitCode } from './command-error.js';

/** Under npm a Ctrl-C comes twice, from the terminal and passed on by npm: nobody presses it again within this time. */
const sameKeyMs = 500;

/** Waits for Ctrl-C or SIGTERM; the second one ends the process at once. */
export class SignalWait {
  private resolve: () => void = () => undefined;
  readonly asked = new Promise<'signal'>((resolve) => {
    this.resolve = () => resolve('signal');
  });
  private firstAtMs: number | undefined;
  private readonly onSignal = (): void => {
    const nowMs = performance.now();
    this.firstAtMs ??= nowMs;
    if (nowMs - this.firstAtMs > sameKeyMs) process.exit(interruptedExitCode);
    this.resolve();
  };

  constructor() {
    process.on('SIGINT', this.onSignal);
    process.on('SIGTERM', this.onSignal);
  }

  dispose(): void {
    process.off('SIGINT', this.onSignal);
    process.off('SIGTERM', this.onSignal);
  }
}
