import {
  ApplicationFailure,
  condition,
  metricMeter,
  setCurrentDetails,
  setDefaultSignalHandler,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { StageReport } from '../src/batch.js';
import { addTo, metrics } from '../src/metrics.js';
import { parseInput } from '../src/parse-input.js';
import { endpointChangeSchema, haltNoticeSchema, type EndpointChange, type HaltNotice } from '../src/messages.js';
import type { Stage } from '../src/stage.js';
import * as definitions from './message-definitions.js';
import type { Waiting } from './permit-desk.js';
import { keys } from './search-attribute-keys.js';

/** What the `status` query of an episode answers. */
export interface EpisodeStatus {
  readonly state: 'running' | 'holding' | 'paused' | 'halted';
  readonly stage?: Stage;
  readonly waitingFor?: string;
  readonly endpoint?: EndpointChange;
  readonly halted?: HaltNotice;
  readonly stages: readonly StageReport[];
  readonly unknownMessages: readonly string[];
}

/**
 * Where an episode stands, and what it has been told: pause, resume, the circuit it waits for. Registers its handlers
 * first thing. Search attributes change only when somebody has to wait, since each change is an event.
 */
export class EpisodeState {
  paused = false;
  /** How often it was told to go on. */
  resumes = 0;
  stage: Stage | undefined;
  private readonly ended: StageReport[] = [];
  private shown: EpisodeStatus['state'] = 'running';
  private waitingFor: string | undefined;
  private endpoint: EndpointChange | undefined;
  private halted: HaltNotice | undefined;
  private held: { readonly endpoint: string; readonly sinceMs: number } | undefined;
  private readonly unknownMessages: string[] = [];

  constructor(private readonly isAlone: boolean) {
    setHandler(definitions.pauseSignal, () => {
      this.paused = true;
    });
    setHandler(definitions.resumeSignal, () => {
      this.paused = false;
      this.halted = undefined;
      this.resumes += 1;
    });
    setHandler(definitions.endpointChangedSignal, (payload) => {
      const parsed = parseInput(endpointChangeSchema, payload);
      if (parsed.ok) this.onEndpointChanged(parsed.value);
    });
    for (const signal of [definitions.fuseOpenSignal, definitions.haltRequestedSignal]) {
      setHandler(signal, (payload) => {
        const parsed = parseInput(haltNoticeSchema, payload);
        if (parsed.ok) this.halted = parsed.value;
      });
    }
    setHandler(definitions.episodeStatusQuery, () => this.status());
    setDefaultSignalHandler((name) => {
      this.unknownMessages.push(`${name}: no such signal here`);
    });
  }

  /** The stages that have ended, in order. */
  get reports(): readonly StageReport[] {
    return this.ended;
  }

  stageEnded(report: StageReport): void {
    this.ended.push(report);
    const { stage, outcome } = report;
    addTo(metricMeter, metrics.stagesEnded, { labels: { stage, outcome } });
  }

  private onEndpointChanged(change: EndpointChange): void {
    this.endpoint = change.circuit === 'closed' ? undefined : change;
    if (this.waitingFor !== undefined) this.show(change.circuit === 'closed' ? 'running' : 'holding');
  }

  /** Told by the permit desk: this episode is in the queue of an endpoint. */
  startsWaiting({ endpointId, circuit, change }: Waiting): void {
    this.waitingFor = endpointId;
    this.endpoint = change ?? this.endpoint;
    // Waiting for one's turn at a healthy endpoint is work, not holding.
    this.show(circuit === 'closed' ? 'running' : 'holding');
  }

  stopsWaiting(): void {
    this.waitingFor = undefined;
    this.endpoint = undefined;
    this.show('running');
  }

  /** Returns when the batch is neither paused nor halted. */
  async untilResumed(): Promise<void> {
    if (!this.paused) return;
    this.show('paused');
    await condition(() => !this.paused);
    this.show('running');
  }

  /** Waits at this stage until `resume`: waiting cannot help, a person must. An episode by itself fails instead. */
  async haltUntilResumed(notice: HaltNotice): Promise<void> {
    if (this.isAlone) throw ApplicationFailure.nonRetryable(notice.reason, notice.failureType, notice);
    this.halted = notice;
    this.show('halted');
    await condition(() => this.halted === undefined);
    this.show('running');
  }

  /** An episode by itself has no batch to halt: an open fuse ends it. */
  get loneHalt(): HaltNotice | undefined {
    return this.isAlone ? this.halted : undefined;
  }

  show(state: EpisodeStatus['state']): void {
    setCurrentDetails(this.describe(state));
    if (state === this.shown) return;
    this.shown = state;
    this.countHold();
    if (state === 'holding') this.held = { endpoint: this.waitingFor ?? '', sinceMs: Date.now() };
    upsertSearchAttributes([
      { key: keys.state, value: state },
      { key: keys.stage, value: this.stage ?? null },
      { key: keys.endpoint, value: state === 'holding' ? (this.waitingFor ?? null) : null },
    ]);
  }

  /** Adds up how long it was held, if it was: on going on, and at its end. */
  countHold(): void {
    const { held } = this;
    this.held = undefined;
    if (held === undefined) return;
    const value = (Date.now() - held.sinceMs) / 1000;
    addTo(metricMeter, metrics.holdSeconds, { labels: { endpoint: held.endpoint }, value });
  }

  private describe(state: EpisodeStatus['state']): string {
    const done = this.reports.map((report) => report.stage).join(', ');
    const lines = [
      `**${state}**${this.stage === undefined ? '' : ` at stage \`${this.stage}\``}. Finished: ${done || 'none'}.`,
    ];
    if (state === 'holding' && this.waitingFor !== undefined) {
      const { endpoint } = this;
      const since = endpoint === undefined ? '' : ` since ${new Date(endpoint.sinceMs).toISOString()}`;
      const why = endpoint?.reason === undefined ? '' : ` (${endpoint.reason})`;
      const isIsolated = endpoint?.circuit === 'isolated';
      const until = isIsolated ? 'an operator resets the endpoint' : 'the endpoint recovers';
      lines.push(`Held${since} by endpoint \`${this.waitingFor}\`${why}; it resumes by itself when ${until}.`);
      if (endpoint?.haltsAtMs !== undefined)
        lines.push(`The batch halts at ${new Date(endpoint.haltsAtMs).toISOString()}.`);
      if (endpoint?.probeIntervalSec !== undefined) lines.push(`Probed every ${endpoint.probeIntervalSec} s.`);
      lines.push(`Last and next probe, and the queue: query \`state\` of \`endpoint-breaker/${this.waitingFor}\`.`);
    }
    if (state === 'halted' && this.halted !== undefined) lines.push(`Halted: ${this.halted.reason}.`);
    return lines.join('\n\n');
  }

  private status(): EpisodeStatus {
    return {
      state: this.shown,
      ...(this.stage === undefined ? {} : { stage: this.stage }),
      ...(this.waitingFor === undefined ? {} : { waitingFor: this.waitingFor }),
      ...(this.endpoint === undefined ? {} : { endpoint: this.endpoint }),
      ...(this.halted === undefined ? {} : { halted: this.halted }),
      stages: this.reports,
      unknownMessages: this.unknownMessages,
    };
  }
}

/** The batch that this episode belongs to; itself when it was started alone. */
export function batchWorkflowIdOf(): { readonly id: string; readonly isAlone: boolean } {
  const { parent, workflowId } = workflowInfo();
  return { id: parent?.workflowId ?? workflowId, isAlone: parent === undefined };
}
