/** What passes between the service and a process that runs a model. */
export interface JobMessage<Job> {
  readonly jobId: number;
  readonly job: Job;
}
export type JobAnswer<Answer = unknown> =
  | { readonly ready: true }
  | { readonly jobId: number; readonly answer: Answer }
  | { readonly jobId: number; readonly fault: string };

/** The body of a model's process: says that it is ready, then does the jobs it is sent, one at a time. */
export function serveJobs(work: (job: never) => Promise<unknown>): void {
  const send = (message: JobAnswer): void => {
    process.send?.(message);
  };
  process.on('message', (message: JobMessage<never>) => {
    work(message.job).then(
      (answer) => {
        send({ jobId: message.jobId, answer });
      },
      (error: unknown) => {
        send({ jobId: message.jobId, fault: error instanceof Error ? error.message : String(error) });
      },
    );
  });
  // The service is gone: nobody will read an answer.
  process.on('disconnect', () => process.exit(0));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined); // the service decides
  send({ ready: true });
}

/** The settings that the service gave this process, as its `ModelProcess` was given them. */
export function jobConfig(): unknown {
  return JSON.parse(process.argv[2] ?? '');
}
