import { randomUUID } from 'node:crypto';
import { Client, type ConnectionPlugin } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, type NativeConnection } from '@temporalio/worker';
import { createActivities, type Activities, type ActivityDependencies } from '../../activities/index.js';
import { searchAttributes } from '../../src/messages.js';
import { startWorkers, type RunningWorkers } from '../../workers/create-workers.js';
import { prepared, workflowBundleFile } from './prepared.js';

/** Numbers of Temporal's IndexedValueType. */
const indexedKeyword = 2;

/** One Temporal server for a test file, with the search attributes registered. */
export interface TestTemporal {
  readonly address: string;
  /** A plain client: one that skips time would jump to the end of any open entity (reference/temporal.md, 1). */
  readonly client: Client;
  readonly nativeConnection: NativeConnection;
  /** Whether open workflows can be listed. */
  readonly hasVisibility: boolean;
  /** Lets (virtual) time pass. */
  sleep(ms: number): Promise<void>;
  nowMs(): Promise<number>;
  stop(): Promise<void>;
}

let isRuntimeInstalled = false;

function installQuietRuntime(): void {
  if (isRuntimeInstalled) return;
  isRuntimeInstalled = true;
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
  });
}

async function wrap(env: TestWorkflowEnvironment, hasVisibility: boolean): Promise<TestTemporal> {
  await env.connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: Object.fromEntries(Object.keys(searchAttributes).map((name) => [name, indexedKeyword])),
  });
  return {
    address: env.address,
    client: new Client({ connection: env.connection }),
    nativeConnection: env.nativeConnection,
    hasVisibility,
    sleep: (ms) => env.sleep(ms),
    nowMs: () => env.currentTimeMs(),
    stop: () => env.teardown(),
  };
}

/**
 * That server takes the SDK's pings, one each 30 s, for too many after a minute and a half, and closes the connection: a
 * `sleep` that is under way then never ends.
 */
const withoutPings: ConnectionPlugin = {
  name: 'without-pings',
  configureConnection: (options) => ({
    ...options,
    channelArgs: { ...options.channelArgs, 'grpc.keepalive_time_ms': 24 * 3_600_000 },
  }),
};

/** The time-skipping server: minutes of waiting cost milliseconds. No visibility, no reset. */
export async function startTimeSkipping(): Promise<TestTemporal> {
  installQuietRuntime();
  const server = { executable: prepared().testServer };
  return wrap(await TestWorkflowEnvironment.createTimeSkipping({ server, plugins: [withoutPings] }), false);
}

/** A real server in memory. */
export async function startDevServer(extraArgs: string[] = []): Promise<TestTemporal> {
  installQuietRuntime();
  return wrap(await TestWorkflowEnvironment.createLocal({ server: { executable: prepared().cli, extraArgs } }), true);
}

export interface TestQueues {
  readonly main: string;
  readonly endpoints: string;
}

/** Two programs on one server steal each other's tasks unless their queues differ. */
export function randomQueues(): TestQueues {
  const suffix = randomUUID().slice(0, 8);
  return { main: `holdfast-${suffix}`, endpoints: `holdfast-endpoints-${suffix}` };
}

/** Workers with these activities. */
export function startTestWorkers(
  temporal: TestTemporal,
  queues: TestQueues,
  activities: Activities,
): Promise<RunningWorkers> {
  return startWorkers({
    connection: temporal.nativeConnection,
    namespace: 'default',
    queues,
    activities,
    workflows: { codePath: workflowBundleFile },
    shutdownGraceSec: 1,
  });
}

/** The real activities, with what a test does not care about left out. */
export function testActivities(
  temporal: TestTemporal,
  queues: TestQueues,
  deps: Partial<ActivityDependencies> & Pick<ActivityDependencies, 'clients' | 'store'>,
): Activities {
  return createActivities({
    client: temporal.client,
    endpointsTaskQueue: queues.endpoints,
    apiKey: () => undefined,
    nowMs: Date.now,
    random: () => 0.5,
    ffmpegPath: () => Promise.reject(new Error('no ffmpeg in this test')),
    plan: () => Promise.reject(new Error('no plan in this test')),
    raiseAlert: () => Promise.resolve(),
    onViolation: () => undefined,
    ...deps,
  });
}
