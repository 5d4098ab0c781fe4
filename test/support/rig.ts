import { WorkflowNotFoundError } from '@temporalio/client';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFileArtifactStore } from '../../activities/store/file-artifact-store.js';
import { writeManifest } from '../../activities/feed/manifest.js';
import { sha256Of } from '../../activities/store/digest.js';
import type { Activities, ActivityDependencies } from '../../activities/index.js';
import { createProviderClients } from '../../activities/providers/index.js';
import { extractiveClient } from '../../activities/text/extractive-client.js';
import type { BreakerAlert } from '../../src/breaker/state.js';
import type { BatchInput } from '../../src/batch.js';
import type { BatchStatus } from '../../src/batch-status.js';
import type { BreakerView } from '../../src/breaker/view.js';
import { batchWorkflowId, endpointWorkflowId, episodeWorkflowId, messageNames } from '../../src/messages.js';
import { runPlanSchema, type RunPlan } from '../../src/run-plan.js';
import { blobOf } from '../../activities/stages/stage-job.js';
import type { RunningWorkers } from '../../workers/create-workers.js';
import { startStub, type Stub, type StubOptions } from './stub/stub.js';
import { toneWav } from './tone-wav.js';
import { randomQueues, startTestWorkers, testActivities, type TestQueues, type TestTemporal } from './temporal.js';

export interface RigOptions {
  readonly temporal: TestTemporal;
  readonly stub: StubOptions['endpoints'];
  /** The plan, given the URLs of the stub's endpoints. */
  readonly plan: (facts: { readonly batchId: string; readonly corpusDir: string; readonly stub: Stub }) => RunPlan;
  readonly episodes: number;
  readonly deps?: Partial<ActivityDependencies>;
  readonly change?: (activities: Activities) => Activities;
}

/** A whole site for a test: scripted services, a corpus, and workers with the real activities on a Temporal server. */
export class Rig {
  readonly alerts: { readonly endpointId: string; readonly alert: BreakerAlert }[] = [];
  private readonly batchIds: string[] = [];

  private constructor(
    readonly temporal: TestTemporal,
    readonly stub: Stub,
    readonly corpusDir: string,
    readonly queues: TestQueues,
    private workers: RunningWorkers | undefined,
    private readonly startAgain: () => Promise<RunningWorkers>,
  ) {}

  static async start(options: RigOptions): Promise<Rig> {
    const { temporal, episodes } = options;
    const stub = await startStub({ endpoints: options.stub });
    const corpusDir = await mkdtemp(path.join(tmpdir(), 'holdfast-rig-'));
    const queues = randomQueues();
    const alerts: Rig['alerts'] = [];
    const store = createFileArtifactStore(corpusDir);
    const files = await writeTones(corpusDir, episodes);
    const real = testActivities(temporal, queues, {
      clients: { ...createProviderClients(), 'local-extractive': extractiveClient },
      store: createFileArtifactStore,
      raiseAlert: (endpointId, alert) => {
        alerts.push({ endpointId, alert });
        return Promise.resolve();
      },
      ...options.deps,
    });
    const planned = withPlan(real, { options, stub, corpusDir, store, files });
    const activities = options.change?.(planned) ?? planned;
    const startAgain = (): Promise<RunningWorkers> => startTestWorkers(temporal, queues, activities);
    const rig = new Rig(temporal, stub, corpusDir, queues, await startAgain(), startAgain);
    rig.alerts.push(...alerts);
    Object.defineProperty(rig, 'alerts', { value: alerts });
    return rig;
  }

  async startBatch(batchId: string, input: Partial<BatchInput> = {}): Promise<void> {
    this.batchIds.push(batchId);
    await this.temporal.client.workflow.start('reprocessBatch', {
      taskQueue: this.queues.main,
      workflowId: batchWorkflowId(batchId),
      args: [{ source: { audio: ['x'] }, ...input }],
    });
  }

  batchStatus(batchId: string): Promise<BatchStatus> {
    const handle = this.temporal.client.workflow.getHandle(batchWorkflowId(batchId));
    return handle.query<BatchStatus, []>(messageNames.batch.queries.status);
  }

  endpointState(endpointId: string): Promise<BreakerView> {
    const handle = this.temporal.client.workflow.getHandle(endpointWorkflowId(endpointId));
    return handle.query<BreakerView, []>(messageNames.endpoint.queries.state);
  }

  async signalBatch(batchId: string, name: string, payload: unknown = {}): Promise<void> {
    await this.temporal.client.workflow.getHandle(batchWorkflowId(batchId)).signal(name, payload);
  }

  async signalEndpoint(endpointId: string, name: string, payload: unknown = {}): Promise<void> {
    await this.temporal.client.workflow.getHandle(endpointWorkflowId(endpointId)).signal(name, payload);
  }

  episodeId(n: number): string {
    return `episode-${String(n).padStart(3, '0')}`;
  }

  episodeWorkflow(batchId: string, n: number): ReturnType<TestTemporal['client']['workflow']['getHandle']> {
    return this.temporal.client.workflow.getHandle(episodeWorkflowId(batchId, this.episodeId(n)));
  }

  async stopWorkers(): Promise<void> {
    await this.workers?.stop();
    this.workers = undefined;
  }

  async restartWorkers(): Promise<void> {
    this.workers ??= await this.startAgain();
  }

  /** Leaves no entity behind: the next rig on this server has endpoints of the same ids, on queues of its own. */
  private async terminateEndpoints(): Promise<void> {
    const ids = [...this.stub.endpoints.keys(), 'local-extractive'].map(endpointWorkflowId);
    const ended = ids.map((id) => this.temporal.client.workflow.getHandle(id).terminate('the test is over'));
    await Promise.allSettled(ended);
  }

  async stop(): Promise<void> {
    await this.terminateEndpoints();
    await this.stopWorkers();
    await this.stub.close();
    await rm(this.corpusDir, { recursive: true, force: true });
  }

  /** What stays open would be taken for its own by the next rig of the same server. */
  private async terminateAll(): Promise<void> {
    const batches = this.batchIds.map((batchId) => batchWorkflowId(batchId));
    const endpoints = [...this.stub.endpoints.keys()].map((name) => endpointWorkflowId(name));
    for (const workflowId of [...batches, ...endpoints]) await this.terminate(workflowId);
  }

  /** Ends a workflow as an operator would, without its say; one that has ended is left alone. */
  async terminate(workflowId: string): Promise<void> {
    await this.temporal.client.workflow
      .getHandle(workflowId)
      .terminate('the test is over')
      .catch((error: unknown) => {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      });
  }
}

async function writeTones(directory: string, count: number): Promise<string[]> {
  const files = Array.from({ length: count }, (_, n) => path.join(directory, `tone-${n}.wav`));
  // Each its own pitch, so that each has its own digest.
  await Promise.all(files.map((file, n) => writeFile(file, toneWav(200 + n))));
  return files;
}

interface Planned {
  readonly options: RigOptions;
  readonly stub: Stub;
  readonly corpusDir: string;
  readonly store: ReturnType<typeof createFileArtifactStore>;
  readonly files: readonly string[];
}

/** Plan, list and audio as the test says; everything else is real. */
function withPlan(real: Activities, { options, stub, corpusDir, store, files }: Planned): Activities {
  const episodes = files.map((file, n) => {
    const episodeId = `episode-${String(n).padStart(3, '0')}`;
    return { episodeId, feedId: 'feed', feedTitle: 'Feed', title: `Episode ${n}`, audioUrl: file, people: [] };
  });
  return {
    ...real,
    main: {
      ...real.main,
      resolveRunPlan: async ({ batchId }) => {
        const plan = options.plan({ batchId, corpusDir, stub });
        return { ...plan, digest: (await store.put(JSON.stringify(plan))).sha256 };
      },
      preflight: () => Promise.resolve({ notes: [] }),
      listEpisodes: async () => {
        const { manifest } = await writeManifest(store, episodes, { cancellation: new AbortController().signal });
        return { manifest, requested: files.length };
      },
      prepareEpisode: async ({ episode, plan }) => {
        const file = files[Number(episode.episodeId.slice('episode-'.length))] ?? '';
        const bytes = toneWav(200 + files.indexOf(file));
        const audio = { path: file, sha256: sha256Of(bytes), bytes: bytes.length, durationSec: 2, format: 'wav' };
        const whole = 'sha256' in plan ? await store.readJson(blobOf(plan.sha256), runPlanSchema) : plan;
        const order = await store.put(JSON.stringify({ plan: whole, episode, audio }));
        return { order: order.sha256, durationSec: 2, finished: [] };
      },
    },
  };
}
