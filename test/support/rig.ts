import { Context } from '@temporalio/activity';
import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createFileArtifactStore } from '../../activities/store/file-artifact-store.js';
import { writeManifest } from '../../activities/feed/manifest.js';
import { sha256Of } from '../../activities/store/digest.js';
import type { Activities, ActivityDependencies } from '../../activities/index.js';
import { createProviderClients } from '../../activities/providers/index.js';
import { extractiveClient } from '../../activities/text/extractive-client.js';
import type { BreakerAlert } from '../../src/breaker/state.js';
import type { BatchInput } from '../../src/batch.js';
import type { BatchStatus } from '../../src/batch-status.js';
import type { Episode, EpisodeRef } from '../../src/episode.js';
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

/** An alert, and when the server's clock had it raised. */
export interface RaisedAlert {
  readonly endpointId: string;
  readonly alert: BreakerAlert;
  readonly atMs: number;
}

interface Site {
  readonly temporal: TestTemporal;
  readonly stub: Stub;
  readonly corpusDir: string;
  readonly queues: TestQueues;
  readonly episodes: number;
  readonly alerts: readonly RaisedAlert[];
  startWorkers(): Promise<RunningWorkers>;
}

/** A whole site for a test: scripted services, a corpus, and workers with the real activities on a Temporal server. */
export class Rig {
  private readonly batchIds: string[] = [];

  private constructor(
    private readonly site: Site,
    private workers: RunningWorkers | undefined,
  ) {}

  static async start(options: RigOptions): Promise<Rig> {
    const { temporal, episodes } = options;
    const stub = await startStub({ endpoints: options.stub });
    const corpusDir = await mkdtemp(path.join(tmpdir(), 'holdfast-rig-'));
    const queues = randomQueues();
    const alerts: RaisedAlert[] = [];
    const store = createFileArtifactStore(corpusDir);
    const files = await writeTones(corpusDir, episodes);
    const real = testActivities(temporal, queues, {
      clients: { ...createProviderClients(), 'local-extractive': extractiveClient },
      store: createFileArtifactStore,
      raiseAlert: (endpointId, alert) => {
        const atMs = Context.current().info.currentAttemptScheduledTimestampMs;
        alerts.push({ endpointId, alert, atMs });
        return Promise.resolve();
      },
      ...options.deps,
    });
    const planned = withPlan(real, { options, stub, corpusDir, store, files });
    const activities = options.change?.(planned) ?? planned;
    const startWorkers = (): Promise<RunningWorkers> => startTestWorkers(temporal, queues, activities);
    return new Rig({ temporal, stub, corpusDir, queues, episodes, alerts, startWorkers }, await startWorkers());
  }

  get temporal(): TestTemporal {
    return this.site.temporal;
  }
  get stub(): Stub {
    return this.site.stub;
  }
  get corpusDir(): string {
    return this.site.corpusDir;
  }
  get queues(): TestQueues {
    return this.site.queues;
  }
  /** In the order in which they were raised. */
  get alerts(): readonly RaisedAlert[] {
    return this.site.alerts;
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
    return handle.query<BatchStatus>(messageNames.batch.queries.status);
  }

  endpointState(endpointId: string): Promise<BreakerView> {
    const handle = this.temporal.client.workflow.getHandle(endpointWorkflowId(endpointId));
    return handle.query<BreakerView>(messageNames.endpoint.queries.state);
  }

  async signalBatch(batchId: string, name: string, payload: unknown = {}): Promise<void> {
    await this.temporal.client.workflow.getHandle(batchWorkflowId(batchId)).signal(name, payload);
  }

  async signalEndpoint(endpointId: string, name: string, payload: unknown = {}): Promise<void> {
    await this.temporal.client.workflow.getHandle(endpointWorkflowId(endpointId)).signal(name, payload);
  }

  episodeId(n: number): string {
    return episodeOf(this.corpusDir, n).episodeId;
  }

  /** For an episode that is started by itself. */
  async episodeRef(n: number): Promise<EpisodeRef> {
    const { episodeId, feedId, title, ...rest } = episodeOf(this.corpusDir, n);
    const whole = JSON.stringify({ episodeId, feedId, title, ...rest });
    return { episodeId, feedId, title, document: await createFileArtifactStore(this.corpusDir).put(whole) };
  }

  episodeWorkflow(batchId: string, n: number): ReturnType<TestTemporal['client']['workflow']['getHandle']> {
    return this.temporal.client.workflow.getHandle(episodeWorkflowId(batchId, this.episodeId(n)));
  }

  /** What the batch failed with, once it has; waits for its end. */
  async failureOf(batchId: string): Promise<ApplicationFailure> {
    const result: unknown = await this.temporal.client.workflow
      .getHandle(batchWorkflowId(batchId))
      .result()
      .catch((error: unknown) => error);
    if (result instanceof WorkflowFailedError && result.cause instanceof ApplicationFailure) return result.cause;
    throw new Error(`batch ${batchId} did not fail by itself`, { cause: result });
  }

  /** Waits in real time, as sockets do; fails after 40 s. */
  async eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
    const untilMs = Date.now() + 40_000;
    while (!(await isSo())) {
      if (Date.now() > untilMs) throw new Error(`still not so after 40 s: ${isSo.toString()}`);
      await delay(20);
    }
  }

  async stopWorkers(): Promise<void> {
    await this.workers?.stop();
    this.workers = undefined;
  }

  async restartWorkers(): Promise<void> {
    this.workers ??= await this.site.startWorkers();
  }

  async stop(): Promise<void> {
    if (this.workers !== undefined) await Promise.all(this.batchIds.map((batchId) => this.cancel(batchId)));
    await this.terminateAll();
    await this.stopWorkers();
    await this.site.stub.close();
    await rm(this.corpusDir, { recursive: true, force: true });
  }

  /** In an orderly way: the time-skipping server stands still for ever after an activity whose workflow was terminated. */
  private async cancel(batchId: string): Promise<void> {
    const handle = this.temporal.client.workflow.getHandle(batchWorkflowId(batchId));
    await handle.cancel().catch(() => undefined);
    await Promise.race([handle.result().catch(() => undefined), delay(10_000, undefined, { ref: false })]);
  }

  /** Leaves nothing open: the next rig on this server has endpoints of the same ids, on queues of its own. */
  private async terminateAll(): Promise<void> {
    const episodes = Array.from({ length: this.site.episodes }, (_, n) => this.episodeId(n));
    const batches = this.batchIds.map(batchWorkflowId);
    const children = this.batchIds.flatMap((batchId) => episodes.map((id) => episodeWorkflowId(batchId, id)));
    const endpoints = [...this.stub.endpoints.keys(), 'local-extractive'].map(endpointWorkflowId);
    await Promise.all([...batches, ...children, ...endpoints].map((id) => this.terminate(id)));
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

function toneFile(directory: string, n: number): string {
  return path.join(directory, `tone-${n}.wav`);
}

function episodeOf(corpusDir: string, n: number): Episode {
  const episodeId = `episode-${String(n).padStart(3, '0')}`;
  const audioUrl = toneFile(corpusDir, n);
  return { episodeId, feedId: 'feed', feedTitle: 'Feed', title: `Episode ${n}`, audioUrl, people: [] };
}

async function writeTones(directory: string, count: number): Promise<string[]> {
  const files = Array.from({ length: count }, (_, n) => toneFile(directory, n));
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
  const { hasVisibility } = options.temporal;
  const episodes = files.map((_, n) => episodeOf(corpusDir, n));
  const nobody = { requests: [], waiting: [] };
  return {
    // Without visibility nobody can be looked for, and the entity would wait until that has failed often enough.
    endpoints: hasVisibility ? real.endpoints : { ...real.endpoints, findHolders: () => Promise.resolve(nobody) },
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
