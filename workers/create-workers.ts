import { Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';
import type { Activities } from '../activities/index.js';
import { holdfastVersion } from '../setup/version.js';

export interface WorkerSettings {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly queues: { readonly main: string; readonly endpoints: string };
  readonly activities: Activities;
  /** Path of the bundle, or of the sources to bundle once for both workers. */
  readonly workflows: NonNullable<WorkerOptions['workflowBundle']>;
  /** What is added to both workers, e.g. tracing. */
  readonly plugins?: NonNullable<WorkerOptions['plugins']>;
  /** How long a call may go on after a stop was asked for; then it is cancelled. Default 10 s. */
  readonly shutdownGraceSec?: number;
  /** Default 200: permits bound what reaches a service, so slots only have to be many enough. */
  readonly maxConcurrentActivities?: number;
}

export interface RunningWorkers {
  /** Resolves when both have stopped; rejects with what made one fail. */
  readonly stopped: Promise<void>;
  /** Asks both to stop, and waits for it. */
  stop(): Promise<void>;
}

const activitySlots = 200;
const cachedWorkflows = 500;

function optionsFor(settings: WorkerSettings): WorkerOptions {
  return {
    connection: settings.connection,
    namespace: settings.namespace,
    taskQueue: settings.queues.main,
    workflowBundle: settings.workflows,
    plugins: settings.plugins ?? [],
    // The SDK's own is 90 characters long and stands in every second event of every history.
    workerDeploymentOptions: {
      version: { deploymentName: 'holdfast', buildId: holdfastVersion() },
      useWorkerVersioning: false,
    },
    maxCachedWorkflows: cachedWorkflows,
    maxConcurrentActivityTaskExecutions: settings.maxConcurrentActivities ?? activitySlots,
    // A cancellation reaches an activity with its next heartbeat: seldom ones would delay it.
    maxHeartbeatThrottleInterval: '1s',
    defaultHeartbeatThrottleInterval: '1s',
    // A query goes to the worker that had the workflow last; after a kill it must not wait there for long.
    stickyQueueScheduleToStartTimeout: '2s',
    shutdownGraceTime: 1000 * (settings.shutdownGraceSec ?? 10),
    shutdownForceTime: 1000 * ((settings.shutdownGraceSec ?? 10) + 15),
  };
}

/**
 * The two workers of a process: episodes and batches on one task queue, the endpoints' entities on another, so that
 * waiting episodes cannot starve the entities they wait for.
 */
export async function startWorkers(settings: WorkerSettings): Promise<RunningWorkers> {
  const common = optionsFor(settings);
  const { queues, activities } = settings;
  const workers = [
    await Worker.create({ ...common, activities: activities.main }),
    await Worker.create({ ...common, taskQueue: queues.endpoints, activities: activities.endpoints }),
  ];
  const runs = workers.map((worker) => worker.run());
  const stopAll = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  // One that fails takes the other with it: half a worker would hold every batch for ever.
  const stopped = Promise.all(runs.map((run) => run.finally(stopAll))).then(() => undefined);
  return {
    stopped,
    stop: async () => {
      stopAll();
      await stopped;
    },
  };
}
