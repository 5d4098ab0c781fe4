import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection, WorkflowNotFoundError, type WorkflowHandle } from '@temporalio/client';
import { stringify } from 'yaml';
import { verifyCorpus } from '../../activities/corpus/verify-corpus.js';
import { readBatchRecord } from '../../activities/corpus/batch-record.js';
import { startEmbeddedServer, type EmbeddedServer } from '../../cli/embedded-server.js';
import { outcomeOf } from '../../cli/follow-batch.js';
import type { BatchOutcome } from '../../cli/batch-outcome.js';
import { resolveTemporalCli } from '../../setup/temporal.js';
import type { BatchInput, BatchRecord } from '../../src/batch.js';
import type { BatchStatus } from '../../src/batch-status.js';
import type { BreakerView } from '../../src/breaker/view.js';
import type { EndpointOverride } from '../../src/config.js';
import * as messages from '../../src/messages.js';
import { registerSearchAttributes } from '../../workers/search-attributes.js';
import type { EndpointOptions, EndpointServer } from '../support/stub/endpoint-server.js';
import { startStub, type Stub } from '../support/stub/stub.js';
import { toneWav } from '../support/tone-wav.js';
import { startDrillWorker, type DrillWorker } from './drill-worker.js';

const endpointIds = ['dgx-speaches', 'dgx-whisper', 'dgx-pyannote', 'dgx-ollama'] as const;
export type DrillEndpoint = (typeof endpointIds)[number];

/** The services of profile `experiment_dgx_only`, and a second transcriber for failover. */
const services: Readonly<Record<DrillEndpoint, EndpointOptions>> = {
  'dgx-speaches': { shape: 'speaches', model: 'Systran/faster-whisper-large-v3', serviceMs: 200 },
  'dgx-whisper': { shape: 'whisper', model: 'large-v3', serviceMs: 200 },
  'dgx-pyannote': { shape: 'pyannote', model: 'pyannote/speaker-diarization-community-1', serviceMs: 100 },
  'dgx-ollama': { shape: 'ollama', model: 'qwen3.5:35b', serviceMs: 10 },
};

/** Base paths of wire shapes whose clients expect one in the configured URL. */
const apiPaths: Partial<Record<DrillEndpoint, string>> = { 'dgx-speaches': '/v1', 'dgx-whisper': '/v1' };

export const smallProbeIntervalSec = 1;

/** Small enough for a drill of seconds, in the proportions of the real ones. */
export const smallKnobs: NonNullable<BatchInput['overrides']> = {
  resilience_backoff_schedule_sec: [0.5, 1, 2],
  resilience_probe_interval_sec: smallProbeIntervalSec,
  resilience_on_open_max_wait_sec: 60,
  transcription_timeout_base_sec: 60,
  transcription_timeout_sec_per_audio_minute: 0,
};

export interface DrillSiteOptions {
  readonly episodes: number;
  /** How the scripted services differ from a fast and healthy one. */
  readonly services?: Partial<Record<DrillEndpoint, Partial<EndpointOptions>>>;
  /** What the configuration says of endpoints beside their URL. */
  readonly endpoints?: Partial<Record<DrillEndpoint, EndpointOverride>>;
  /** Further sections of the configuration; `worker` is merged into the site's own. */
  readonly config?: { readonly worker?: object; readonly [section: string]: unknown };
  /** Default 1. */
  readonly workers?: number;
  /** Default: any free one. */
  readonly uiPort?: number;
  /** Told of the Web UI's address as soon as it answers. */
  readonly onServer?: (uiUrl: string) => void;
}

interface Parts {
  readonly dataDir: string;
  readonly configFile: string;
  readonly corpusDir: string;
  readonly audio: readonly string[];
  readonly stub: Stub;
  readonly server: EmbeddedServer;
  readonly connection: Connection;
}

/** A real site for a drill: server with Web UI, scripted services, worker processes, tones as audio, a corpus. */
export class DrillSite {
  readonly client: Client;
  readonly workers: DrillWorker[] = [];

  private constructor(private readonly parts: Parts) {
    this.client = new Client({ connection: parts.connection });
  }

  /** What was started is stopped again when something fails. */
  static async start(options: DrillSiteOptions): Promise<DrillSite> {
    const site = new DrillSite(await startParts(options));
    try {
      await Promise.all(Array.from({ length: options.workers ?? 1 }, () => site.startWorker()));
      return site;
    } catch (error) {
      await site.stop();
      throw error;
    }
  }

  get stub(): Stub {
    return this.parts.stub;
  }
  get corpusDir(): string {
    return this.parts.corpusDir;
  }
  get dataDir(): string {
    return this.parts.dataDir;
  }
  get address(): string {
    return this.parts.server.address;
  }
  get uiUrl(): string {
    return this.parts.server.uiUrl;
  }
  /** The worker of a site that has one. */
  get worker(): DrillWorker {
    const worker = this.workers.at(-1);
    if (worker === undefined) throw new Error('this site has no worker');
    return worker;
  }

  endpoint(endpointId: DrillEndpoint): EndpointServer {
    return this.stub.endpoint(endpointId);
  }

  async startWorker(): Promise<DrillWorker> {
    const worker = await startDrillWorker({ address: this.address, ...this.parts });
    this.workers.push(worker);
    return worker;
  }

  /** Starts a batch over the site's tones, under `experiment_dgx_only` with small knobs. */
  startBatch(batchId: string, input: Partial<BatchInput> = {}): Promise<WorkflowHandle> {
    return this.client.workflow.start(messages.workflowTypes.reprocessBatch, {
      taskQueue: messages.taskQueues.main,
      workflowId: messages.batchWorkflowId(batchId),
      args: [this.batchInput(input)],
    });
  }

  /** What `batch.json` would hold. */
  batchInput({ overrides, ...input }: Partial<BatchInput> = {}): BatchInput {
    return {
      source: { audio: [...this.parts.audio] },
      profile: 'experiment_dgx_only',
      corpusDir: this.corpusDir,
      ...input,
      overrides: { ...smallKnobs, ...overrides },
    };
  }

  /** Digest of the `n`-th tone, by which a script can mean one episode. */
  audioSha256(n: number): string {
    return createHash('sha256').update(tone(n)).digest('hex');
  }

  /** Waits for the batch's end. */
  outcome(batchId: string): Promise<BatchOutcome> {
    return outcomeOf(this.client, batchId);
  }

  /** The account of a batch that has ended, by episode. */
  async record(batchId: string): Promise<BatchRecord> {
    const record = await readBatchRecord(this.corpusDir, batchId);
    if (record === undefined) throw new Error(`batch ${batchId} has no record in ${this.corpusDir}`);
    return record;
  }

  batchStatus(batchId: string): Promise<BatchStatus> {
    const handle = this.client.workflow.getHandle(messages.batchWorkflowId(batchId));
    return handle.query<BatchStatus>(messages.messageNames.batch.queries.status);
  }

  async signalBatch(batchId: string, name: string): Promise<void> {
    await this.client.workflow.getHandle(messages.batchWorkflowId(batchId)).signal(name, {});
  }

  /** Undefined while nobody has asked this endpoint for anything. */
  async endpointState(endpointId: DrillEndpoint): Promise<BreakerView | undefined> {
    const handle = this.client.workflow.getHandle(messages.endpointWorkflowId(endpointId));
    try {
      return await handle.query<BreakerView>(messages.messageNames.endpoint.queries.state);
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return undefined;
      throw error;
    }
  }

  episode(batchId: string, episodeId: string): WorkflowHandle {
    return this.client.workflow.getHandle(messages.episodeWorkflowId(batchId, episodeId));
  }

  /** What the closing walk through the corpus finds wrong with it, one line each. */
  async findings(): Promise<string[]> {
    const lines: string[] = [];
    for await (const { episode, message } of verifyCorpus(this.corpusDir)) lines.push(`${episode}: ${message}`);
    return lines;
  }

  async stop(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.kill()));
    await this.parts.connection.close();
    await this.parts.server.stop();
    await this.stub.close();
    await rm(this.parts.dataDir, { recursive: true, force: true });
  }
}

async function startParts(options: DrillSiteOptions): Promise<Parts> {
  const program = await resolveTemporalCli();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'holdfast-drill-'));
  const [port, uiPort] = [await anyFreePort(), options.uiPort ?? (await anyFreePort())];
  const server = await startEmbeddedServer(program, { dataDir, port, uiPort });
  options.onServer?.(server.uiUrl);
  const connection = await Connection.connect({ address: server.address });
  await registerSearchAttributes(connection, 'default');
  const stub = await startStub({ endpoints: stubEndpoints(options) });
  const configFile = path.join(dataDir, 'holdfast.config.yaml');
  await writeFile(configFile, stringify(configuration(stub, options)));
  const corpusDir = path.join(dataDir, 'corpus');
  const audio = await writeTones(path.join(dataDir, 'audio'), options.episodes);
  return { dataDir, configFile, corpusDir, audio, stub, server, connection };
}

function stubEndpoints({ services: changes = {} }: DrillSiteOptions): Record<string, EndpointOptions> {
  return Object.fromEntries(endpointIds.map((id) => [id, { ...services[id], ...changes[id] }]));
}

function configuration(stub: Stub, { endpoints: changes = {}, config = {} }: DrillSiteOptions): unknown {
  const endpoints = endpointIds.map((id) => {
    const url = `${stub.endpoint(id).url}${apiPaths[id] ?? ''}`;
    return [id, { url, capacity: 1, drainSec: 0, probe: { intervalSec: 1, deadlineSec: 5 }, ...changes[id] }];
  });
  return {
    ...config,
    endpoints: Object.fromEntries(endpoints) as unknown,
    worker: { shutdownGraceSec: 2, ...config.worker },
  };
}

/** Each its own pitch, so that each has its own digest. */
function tone(n: number): Buffer {
  return toneWav(200 + n);
}

async function writeTones(directory: string, count: number): Promise<string[]> {
  await mkdir(directory, { recursive: true });
  const files = Array.from({ length: count }, (_, n) => path.join(directory, `tone-${String(n).padStart(2, '0')}.wav`));
  await Promise.all(files.map((file, n) => writeFile(file, tone(n))));
  return files;
}

function anyFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Asks again and again until the answer is something. @throws Error naming `what` when it takes too long */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  limitMs = 60_000,
): Promise<T> {
  const deadlineAtMs = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadlineAtMs) throw new Error(`waited ${limitMs / 1000} s in vain for: ${what}`);
    await delay(50);
  }
}
