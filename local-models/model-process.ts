import { fork, type ChildProcess } from 'node:child_process';
import { entry } from './entry.js';
import type { JobAnswer, JobMessage } from './model-job.js';

/** The model's process could not load its model. */
export class ModelNotLoadedError extends Error {
  override readonly name = 'ModelNotLoadedError';
}
/** The model's process died, or failed, in the middle of a job. */
export class ModelFailedError extends Error {
  override readonly name = 'ModelFailedError';
}

/**
 * One model in a process of its own, one job at a time, the others in the order they came. Native inference blocks
 * its thread and cannot be interrupted: a cancelled job ends by killing the process, and a new one loads the model.
 */
export class ModelProcess<Job, Answer> {
  private child: ChildProcess | undefined;
  private loading: Promise<ChildProcess> | undefined;
  private tail: Promise<unknown> = Promise.resolve();
  private jobs = 0;
  private stopped = false;

  /** @param script its file in this folder, without extension; `config` is handed to it as JSON */
  constructor(
    private readonly script: string,
    private readonly config: object,
  ) {}

  /** Resolves when the model is loaded. @throws ModelNotLoadedError */
  async start(): Promise<void> {
    await this.loaded();
  }

  /** @throws ModelNotLoadedError, ModelFailedError; passes on the reason of `signal` */
  run(job: Job, signal: AbortSignal): Promise<Answer> {
    const turn = this.tail.then(() => this.runNow(job, signal));
    this.tail = turn.catch(() => undefined);
    return turn;
  }

  /** Ends the process, with whatever it does. */
  stop(): void {
    this.stopped = true;
    this.child?.kill('SIGKILL');
  }

  private async runNow(job: Job, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    const child = await this.loaded();
    signal.throwIfAborted();
    const onAbort = (): void => {
      child.kill('SIGKILL');
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await this.exchange(child, job);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  private exchange(child: ChildProcess, job: Job): Promise<Answer> {
    const jobId = ++this.jobs;
    return new Promise((resolve, reject) => {
      const onMessage = (message: JobAnswer<Answer>): void => {
        if ('ready' in message || message.jobId !== jobId) return;
        finish();
        if ('answer' in message) resolve(message.answer);
        else reject(new ModelFailedError(message.fault));
      };
      const onExit = (code: number | null, signal: NodeJS.Signals | null): void => {
        finish();
        reject(new ModelFailedError(`${this.script} ended with ${signal ?? `exit ${code}`} in the middle of a job`));
      };
      const finish = (): void => {
        child.off('message', onMessage);
        child.off('exit', onExit);
      };
      child.on('message', onMessage);
      child.on('exit', onExit);
      child.send({ jobId, job } satisfies JobMessage<Job>);
    });
  }

  private loaded(): Promise<ChildProcess> {
    if (this.stopped) return Promise.reject(new ModelNotLoadedError('the service is stopping'));
    this.loading ??= this.load();
    return this.loading;
  }

  private load(): Promise<ChildProcess> {
    const { file, execArgv } = entry(this.script);
    const child = fork(file, [JSON.stringify(this.config)], {
      execArgv: [...execArgv],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'], // the libraries chatter; only their last words are of interest
    });
    this.child = child;
    let lastWords = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      lastWords = (lastWords + chunk.toString()).slice(-500);
    });
    return new Promise((resolve, reject) => {
      child.once('message', () => {
        resolve(child);
      });
      child.on('error', (error) => {
        reject(new ModelNotLoadedError(`${this.script}: ${error.message}`));
      });
      child.once('exit', (code, signal) => {
        this.loading = undefined;
        reject(
          new ModelNotLoadedError(`${this.script} ended with ${signal ?? `exit ${code}`} while loading: ${lastWords}`),
        );
      });
    });
  }
}
