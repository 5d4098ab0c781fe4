import type { CallKind } from './script.js';

/** One request as the service saw it. Times are milliseconds since the epoch. */
export interface CallRecord {
  readonly seq: number;
  readonly endpoint: string;
  readonly kind: CallKind;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Which connection it came on, and as which request of it (from 1). */
  readonly connection: number;
  readonly requestOnConnection: number;
  readonly startedAtMs: number;
  readonly whileDown: boolean;
  /** The behaviour it met; empty until chosen. */
  mode: string;
  modelAsked?: string;
  fields: Record<string, string>;
  /** What the service would have ignored or a stricter one refused, e.g. an unknown form field. */
  warnings: string[];
  fileSha256?: string;
  fileName?: string;
  /** Bytes of the uploaded file, or of the body where it is none. */
  bytes: number;
  /** The JSON body of a chat call. */
  body?: unknown;
  status?: number;
  endedAtMs?: number;
  /** When the service stopped computing; later than `endedAtMs` for a zombie. */
  computedUntilMs?: number;
  /** Who cut the connection; undefined: answered to the end. */
  closedBy?: 'client' | 'server';
}

export interface Counters {
  readonly workCalls: number;
  readonly probeCalls: number;
  readonly healthCalls: number;
  readonly modelsCalls: number;
  /** Work calls and zombies of work calls computing at once, at most. */
  readonly maxInFlight: number;
  /** Probes at once, at most. */
  readonly maxProbesInFlight: number;
  /** Work and probes computing at once, at most. */
  readonly maxComputing: number;
  /** Work calls that reached it between `down()` and `up()`. A closed port cannot count; `reset` and `status:503` can. */
  readonly callsWhileDown: number;
  readonly probesWhileDown: number;
  /** Work calls whose connection the client cut. */
  readonly closedByClient: number;
  readonly modelsAsked: readonly string[];
}

type InFlightKey = 'work' | 'probe';

/** Log and high-water marks of one endpoint. */
export class CallLog {
  readonly calls: CallRecord[] = [];
  private readonly inFlight: Record<InFlightKey, number> = { work: 0, probe: 0 };
  private readonly most = { work: 0, probe: 0, both: 0 };

  add(record: CallRecord): void {
    this.calls.push(record);
  }

  computing(kind: CallKind): () => void {
    if (kind !== 'work' && kind !== 'probe') return () => undefined;
    this.inFlight[kind] += 1;
    this.most[kind] = Math.max(this.most[kind], this.inFlight[kind]);
    this.most.both = Math.max(this.most.both, this.nowComputing);
    let ended = false;
    return () => {
      if (!ended) this.inFlight[kind] -= 1;
      ended = true;
    };
  }

  get nowComputing(): number {
    return this.inFlight.work + this.inFlight.probe;
  }

  reset(): void {
    this.calls.length = 0;
    Object.assign(this.most, { work: this.inFlight.work, probe: this.inFlight.probe, both: this.nowComputing });
  }

  get counters(): Counters {
    const ofKind = (kind: CallKind): CallRecord[] => this.calls.filter((call) => call.kind === kind);
    const work = ofKind('work');
    return {
      workCalls: work.length,
      probeCalls: ofKind('probe').length,
      healthCalls: ofKind('health').length,
      modelsCalls: ofKind('models').length,
      maxInFlight: this.most.work,
      maxProbesInFlight: this.most.probe,
      maxComputing: this.most.both,
      callsWhileDown: work.filter((call) => call.whileDown).length,
      probesWhileDown: ofKind('probe').filter((call) => call.whileDown).length,
      closedByClient: work.filter((call) => call.closedBy === 'client').length,
      modelsAsked: [...new Set(this.calls.flatMap((call) => call.modelAsked ?? []))],
    };
  }
}
