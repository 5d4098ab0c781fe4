/** Waits for Ctrl-C or SIGTERM; the second one ends the process at once. */
export class SignalWait {
  private resolve: () => void = () => undefined;
  readonly asked = new Promise<'signal'>((resolve) => {
    this.resolve = () => resolve('signal');
  });
  private times = 0;
  private readonly onSignal = (): void => {
    this.times += 1;
    if (this.times > 1) process.exit(130);
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
