import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ChatAnswers } from './chat-answers.js';
import { defaultChatAnswers } from './default-chat-answers.js';
import { CallLog, type CallRecord, type Counters } from './call-log.js';
import { answerCall } from './answer-call.js';
import { parseMode, type Mode } from './mode.js';
import { ScriptPlayer, type CallKind, type Script } from './script.js';
import { shapes, type ShapeName } from './shapes/index.js';
import type { Shape } from './shapes/shape.js';

export interface EndpointOptions {
  readonly shape: ShapeName;
  /** The model it serves and names. */
  readonly model: string;
  /** Default: any free port. */
  readonly port?: number;
  /** Computing time of one work call; default 0. Probes and errors take none. */
  readonly serviceMs?: number;
  /** One computation at a time, the others queue, as behind one GPU; default false. */
  readonly serial?: boolean;
  /** Health and lists of models wait until nothing computes, as with a blocked event loop; default false. */
  readonly healthBlocksWhileBusy?: boolean;
  /** How long it computes on after the client has gone; default 0, it stops at once. */
  readonly zombieMs?: number;
  /** Takes every file to last this long; default: what its bytes say. */
  readonly durationSec?: number;
  /** Without this key: 401 (Bearer, Token or x-goog-api-key). */
  readonly apiKey?: string;
  readonly script?: Script;
  /** Answers of a chat service by schema name. */
  readonly chatAnswers?: ChatAnswers;
  /** The model that `wrong-model` names. */
  readonly wrongModel?: string;
}

/** `refuse`: port closed; `reset`: accepts and cuts; `status:503` and other modes: answered so, and counted. */
export type DownMode = 'refuse' | (string & {});

/** One scripted service on a port of its own. */
export class EndpointServer {
  readonly log = new CallLog();
  readonly player: ScriptPlayer;
  readonly shape: Shape;
  chatAnswers: ChatAnswers;
  model: string;
  private readonly server: Server;
  private readonly sockets = new Map<Socket, { id: number; requests: number }>();
  private connections = 0;
  private port = 0;
  private downAs: Mode | 'refuse' | undefined;
  private timers: NodeJS.Timeout[] = [];
  private lock: Promise<void> = Promise.resolve();
  /** Digests of the last answers; MOSS answers those at once. */
  readonly answered: string[] = [];

  constructor(
    readonly name: string,
    readonly options: EndpointOptions,
  ) {
    this.player = new ScriptPlayer(options.script);
    this.shape = shapes[options.shape];
    this.chatAnswers = { ...defaultChatAnswers, ...options.chatAnswers };
    this.model = options.model;
    this.server = createServer((request, response) => {
      this.handle(request, response).catch(() => response.destroy());
    });
    this.server.keepAliveTimeout = 5000;
    this.server.requestTimeout = 0;
    this.server.on('connection', (socket) => {
      this.sockets.set(socket, { id: ++this.connections, requests: 0 });
      socket.on('error', () => undefined);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }
  get calls(): readonly CallRecord[] {
    return this.log.calls;
  }
  get counters(): Counters {
    return this.log.counters;
  }

  async start(): Promise<void> {
    await this.listen(this.options.port ?? 0);
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Sets how it behaves from now on; counts of used steps begin anew. */
  script(script: Script): void {
    this.player.set(script);
  }
  /** Overrides the answer to one schema name (`text`: plain calls). */
  chatAnswer(name: string, answer: ChatAnswers[string]): void {
    this.chatAnswers = { ...this.chatAnswers, [name]: answer };
  }

  /** Takes the service down. Connections in use are cut under `refuse`. */
  async down(mode: DownMode = 'refuse'): Promise<void> {
    const wasRefusing = this.downAs === 'refuse';
    this.downAs = mode === 'refuse' ? 'refuse' : parseMode(mode);
    if (this.downAs === 'refuse' && !wasRefusing) await this.closePort();
    if (this.downAs !== 'refuse' && wasRefusing) await this.listen(this.port);
  }

  async up(): Promise<void> {
    this.clearTimers();
    if (this.downAs === 'refuse') await this.listen(this.port);
    this.downAs = undefined;
  }

  /** The restart of a box: down for `ms`, then loading for `loadingMs`, then up. Returns at once after going down. */
  async downFor(
    ms: number,
    { mode = 'refuse', loadingMs = 0 }: { mode?: DownMode; loadingMs?: number } = {},
  ): Promise<void> {
    this.clearTimers();
    await this.down(mode);
    this.timers.push(setTimeout(() => void this.down('loading'), ms).unref());
    this.timers.push(setTimeout(() => void this.up(), ms + loadingMs).unref());
  }

  /** Forgets calls, counters and script; comes up again. */
  async reset(): Promise<void> {
    await this.up();
    this.player.set(this.options.script ?? {});
    this.log.reset();
    this.answered.length = 0;
  }

  async close(): Promise<void> {
    this.clearTimers();
    if (this.server.listening) await this.closePort();
  }

  get isDown(): boolean {
    return this.downAs !== undefined;
  }
  /** The mode that every call meets while it is down. */
  get downMode(): Mode | undefined {
    return this.downAs === 'refuse' ? undefined : this.downAs;
  }

  /** Runs one computation after the other, if the service is serial. Resolves with the function that ends this one. */
  async takeTurn(): Promise<() => void> {
    if (this.options.serial !== true) return () => undefined;
    const before = this.lock;
    let end: () => void = () => undefined;
    this.lock = new Promise((resolve) => (end = resolve));
    await before;
    return end;
  }
  /** Resolves when nothing of the queue is computing any more. */
  idle(): Promise<void> {
    return this.lock;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const purpose = this.shape.kindOf(request.method ?? 'GET', url.pathname);
    const kind: CallKind =
      purpose === 'health' || purpose === 'models'
        ? purpose
        : request.headers['x-holdfast-purpose'] === 'probe'
          ? 'probe'
          : 'work';
    const record = this.record(request, kind);
    const closed = new Promise<void>((resolve) => {
      response.once('close', () => {
        if (!response.writableFinished) record.closedBy ??= 'client';
        record.endedAtMs = Date.now();
        resolve();
      });
    });
    await answerCall({ endpoint: this, request, response, url, record, closed, known: purpose !== undefined });
  }

  private record(request: IncomingMessage, kind: CallKind): CallRecord {
    const connection = this.sockets.get(request.socket) ?? { id: 0, requests: 0 };
    connection.requests += 1;
    const record: CallRecord = {
      seq: this.log.calls.length + 1,
      endpoint: this.name,
      kind,
      method: request.method ?? '',
      path: request.url ?? '',
      headers: withoutKeys(request.headers),
      connection: connection.id,
      requestOnConnection: connection.requests,
      startedAtMs: Date.now(),
      whileDown: this.isDown,
      mode: '',
      fields: {},
      warnings: [],
      bytes: 0,
    };
    this.log.add(record);
    return record;
  }

  private listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, '127.0.0.1', () => {
        this.server.off('error', reject);
        resolve();
      });
    });
  }
  private async closePort(): Promise<void> {
    const closed = new Promise<void>((resolve) =>
      this.server.close(() => {
        resolve();
      }),
    );
    for (const record of this.log.calls) if (record.endedAtMs === undefined) record.closedBy = 'server';
    for (const socket of this.sockets.keys()) socket.destroy();
    await closed;
  }
  private clearTimers(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [];
  }
}

function withoutKeys(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name === 'authorization' || name === 'x-goog-api-key' ? [] : [[name, String(value)]],
    ),
  );
}
