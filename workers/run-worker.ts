import { Client } from '@temporalio/client';
import { NativeConnection, bundleWorkflowCode } from '@temporalio/worker';
import { assembleActivities } from './assemble-activities.js';
import { ConfigurationError, configurationExitCode, loadSite, type Site } from './config.js';
import { startWorkers, type RunningWorkers } from './create-workers.js';
import { createSdkLogger, logLine } from './log.js';
import { missingSearchAttributes } from './search-attributes.js';
import { installRuntime, startGauges } from './telemetry.js';
import { startTracing, type Tracing } from './tracing.js';
import { workflowsPath } from './workflows-path.js';

export interface WorkerProcessOptions {
  readonly configFile?: string | undefined;
  /** Base URL of the local model service that this worker's plans are to use. */
  readonly localModelsUrl?: string | undefined;
}

/** The process has to say why it cannot run, in words for the operator. */
class CannotRun extends Error {
  override readonly name = 'CannotRun';
}

/**
 * The life of a worker process: from its configuration until SIGTERM, SIGINT or the end of the process that started it.
 * Answers with the exit code: 0 stopped as asked, 1 failed, 78 cannot run as configured. Nothing is left open, so the
 * process then ends by itself.
 */
export async function runWorkerProcess(options: WorkerProcessOptions): Promise<number> {
  const stop = new StopRequest();
  try {
    const site = await loadSite({ configFile: options.configFile });
    await runWorkers(site, options, stop);
    logLine('info', 'stopped');
    return 0;
  } catch (error) {
    if (error instanceof ConfigurationError) {
      for (const fault of error.faults) logLine('error', fault);
      return configurationExitCode;
    }
    const message = error instanceof Error ? error.message : String(error);
    logLine('error', message, error instanceof CannotRun ? {} : { kind: 'worker failed' });
    return 1;
  } finally {
    stop.dispose();
  }
}

async function runWorkers(site: Site, options: WorkerProcessOptions, stop: StopRequest): Promise<void> {
  installRuntime(site);
  const connection = await connect(site);
  const tracing = startTracing(site, {
    serviceName: 'holdfast-worker',
    onFault: (reason) => logLine('warn', 'spans cannot be sent', { reason }),
  });
  let gauges: ReturnType<typeof startGauges> | undefined;
  try {
    await checkSearchAttributes(connection, site.temporal.namespace);
    const workers = await start(site, { ...options, connection, tracing });
    gauges = startGauges(site, connection);
    logLine('info', 'worker ready', { address: site.temporal.address, ...site.queues });
    await Promise.race([workers.stopped, stop.asked]);
    await workers.stop();
  } finally {
    await gauges?.stop();
    await connection.close();
    await tracing.stop();
  }
}

async function connect({ temporal }: Site): Promise<NativeConnection> {
  try {
    return await NativeConnection.connect(temporal.connectionOptions);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const help = 'start a server with `holdfast up`, or say where it is with TEMPORAL_ADDRESS';
    throw new CannotRun(`No Temporal server answers at ${temporal.address} (${reason}): ${help}.`);
  }
}

async function checkSearchAttributes(connection: NativeConnection, namespace: string): Promise<void> {
  const missing = await missingSearchAttributes(connection, namespace);
  if (missing.length === 0) return;
  const names = missing.join(', ');
  throw new CannotRun(
    `Namespace ${namespace} lacks search attributes that every episode sets: ${names}. Register them with \`holdfast setup\`.`,
  );
}

interface Start extends WorkerProcessOptions {
  readonly connection: NativeConnection;
  readonly tracing: Tracing;
}

async function start(site: Site, { connection, tracing, localModelsUrl }: Start): Promise<RunningWorkers> {
  const { namespace } = site.temporal;
  const { plugins } = tracing;
  const { maxConcurrentActivities, shutdownGraceSec } = site.config.worker ?? {};
  return startWorkers({
    connection,
    namespace,
    queues: site.queues,
    activities: assembleActivities(site, { client: new Client({ connection, namespace, plugins }), localModelsUrl }),
    workflows: await bundleWorkflowCode({ workflowsPath: workflowsPath(), logger: createSdkLogger(), plugins }),
    plugins,
    ...(maxConcurrentActivities === undefined ? {} : { maxConcurrentActivities }),
    ...(shutdownGraceSec === undefined ? {} : { shutdownGraceSec }),
  });
}

/** A wish to stop, whoever has it: a signal, or the end of the process that started this one. */
class StopRequest {
  private ask: () => void = () => undefined;
  readonly asked = new Promise<void>((resolve) => {
    this.ask = resolve;
  });
  private times = 0;
  private readonly onSignal = (): void => {
    this.times += 1;
    // Asked twice means now.
    if (this.times > 1) process.exit(1);
    this.ask();
  };

  constructor() {
    process.on('SIGTERM', this.onSignal);
    process.on('SIGINT', this.onSignal);
    process.on('disconnect', this.ask);
  }

  dispose(): void {
    process.off('SIGTERM', this.onSignal);
    process.off('SIGINT', this.onSignal);
    process.off('disconnect', this.ask);
    if (process.connected) process.disconnect();
  }
}
