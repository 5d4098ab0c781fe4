import {
  ApplicationFailure,
  log,
  metricMeter,
  patched,
  setCurrentDetails,
  setDefaultSignalHandler,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { z } from 'zod';
import type { BatchState } from '../src/batch.js';
import { whyWaiting, type BatchProgress, type BatchStatus } from '../src/batch-status.js';
import { endpointChangeSchema, haltNoticeSchema, operatorNoteSchema, setWindowSchema } from '../src/messages.js';
import type { BatchCarry, EndpointChange, GivenOrder, HaltNotice } from '../src/messages.js';
import { addTo, metrics } from '../src/metrics.js';
import { parseInput } from '../src/parse-input.js';
import * as definitions from './message-definitions.js';
import { keys } from './search-attribute-keys.js';

/** Where more inputs fail than so many, it is the endpoint. */
const witnessesAtMost = 5;

/** What a batch does when an operator, an endpoint or an episode speaks to it. */
export interface BatchReactions {
  /** Running episodes finish the stage they are in, give their permits back and wait. */
  stop(): Promise<void>;
  /** They go on; these endpoints are probed at once and start their wait clock anew. */
  goOn(endpointIds: readonly string[]): Promise<void>;
  abort(): void;
  /** Counts and ids, for the answers. */
  tally(): Omit<BatchProgress, 'state' | 'window'>;
  about(): Pick<BatchStatus, 'profile' | 'failureStrategy' | 'corpusDir' | 'settingUp' | 'lastFailures' | 'notes'>;
}

/** Orders and news of a batch, and the state that follows from them. Registers its handlers first thing. */
export class BatchControl {
  private paused = false;
  private aborting = false;
  private tooManyFailed = false;
  private readonly halts = new Map<string, HaltNotice>();
  private readonly endpoints = new Map<string, EndpointChange>();
  private shown: BatchState = 'running';
  private readonly unknownMessages: string[] = [];
  private orderedWindow: number | undefined;
  /** The last order, by whom and why. */
  lastOrder: GivenOrder | undefined;
  window = 1;
  ended: BatchState | undefined;
  /** Counts halts, so that a time-out set for one does not end another. */
  haltNumber = 0;

  constructor(private readonly react: BatchReactions) {
    this.handleOrders();
    this.handleNews();
    setHandler(definitions.progressQuery, () => this.progress());
    setHandler(definitions.batchStatusQuery, () => this.status());
    setDefaultSignalHandler((name) => this.note(name, 'no such signal here'));
  }

  get state(): BatchState {
    if (this.ended !== undefined) return this.ended;
    if (this.aborting) return 'aborting';
    if (this.isHalted) return 'halted';
    if (this.paused) return 'paused';
    return this.endpoints.size > 0 ? 'holding' : 'running';
  }

  get isHalted(): boolean {
    return this.halts.size > 0 || this.tooManyFailed;
  }

  /** Nothing new starts. */
  get isStopped(): boolean {
    return this.paused || this.isHalted || this.aborting;
  }

  get isPaused(): boolean {
    return this.paused;
  }

  /** An input that fails where the probe succeeds needs a witness: one episode more than the window, for each such input. */
  get witnesses(): number {
    const suspects = [...this.endpoints.values()].flatMap((change) => change.suspectInputs ?? []);
    return Math.min(suspects.length, witnessesAtMost);
  }

  get unknown(): readonly string[] {
    return this.unknownMessages;
  }

  /** What stands as the first episode may start: what was planned or carried over, and orders given meanwhile. */
  begin(carry: BatchCarry): void {
    const { paused, orderedWindow } = this;
    const isOrdered = paused || orderedWindow !== undefined;
    // Before 2026-11-30 16:00, what was ordered during the set-up was forgotten.
    if (isOrdered && patched('orders-during-set-up-count')) {
      this.paused = paused || carry.paused;
      this.window = orderedWindow ?? carry.window;
      // As the set-up said of every batch, once its plan stood.
      this.shown = 'running';
    } else {
      this.paused = carry.paused;
      this.window = carry.window;
    }
    this.lastOrder ??= carry.lastOrder;
    this.unknownMessages.unshift(...carry.unknownMessages);
  }

  async haltForFailures(): Promise<void> {
    await this.halt(() => (this.tooManyFailed = true));
  }

  end(state: BatchState): void {
    this.ended = state;
    addTo(metricMeter, metrics.batchesEnded, { labels: { outcome: state } });
    this.show();
  }

  progress(): BatchProgress {
    return { ...this.react.tally(), state: this.state, window: this.window };
  }

  /** Puts the state where the Web UI shows it; an event only when it has changed. */
  show(): void {
    const { why, settingUp, done, failed, skipped, remaining, requested } = this.status();
    const counts = `${done} done, ${failed} failed, ${skipped} skipped, ${remaining} remaining of ${requested}.`;
    setCurrentDetails([`**${this.state}**. ${why}`, ...(settingUp === undefined ? [counts] : [])].join('\n\n'));
    if (this.state === this.shown) return;
    this.shown = this.state;
    upsertSearchAttributes([{ key: keys.state, value: this.state }]);
  }

  private status(): BatchStatus {
    const progress = this.progress();
    const endpoints = [...this.endpoints.values()];
    const halts = [...this.halts.values()];
    const { state, window } = this;
    const about = {
      ...this.react.about(),
      ...(this.lastOrder === undefined ? {} : { lastOrder: this.lastOrder }),
    };
    const why = whyWaiting({ ...about, state, endpoints, halts, window, inWork: progress.inWork.length });
    return { ...progress, ...about, why, endpoints, halts, unknownMessages: [...this.unknownMessages] };
  }

  private async pause(): Promise<void> {
    if (this.paused) return;
    this.paused = true;
    this.show();
    await this.react.stop();
  }

  private async resume(): Promise<void> {
    const endpointIds = new Set([...this.halts.keys(), ...this.endpoints.keys()]);
    this.paused = false;
    this.tooManyFailed = false;
    this.halts.clear();
    this.show();
    // Also where all seems well: an endpoint that was ended could not say that it is gone.
    await this.react.goOn([...endpointIds]);
  }

  private abort(): void {
    if (this.aborting || this.ended !== undefined) return;
    this.aborting = true;
    this.show();
    this.react.abort();
  }

  private async halt(note: () => void): Promise<void> {
    const wasHalted = this.isHalted;
    note();
    if (!wasHalted) this.haltNumber += 1;
    this.show();
    if (!wasHalted) await this.react.stop();
  }

  private handleOrders(): void {
    const parseNote = (payload: unknown): void => this.parse('an order', operatorNoteSchema, payload ?? {});
    // A signal cannot refuse: what it does not understand is noted, and not carried out.
    setHandler(definitions.pauseSignal, (payload) => this.obey('pause', payload, () => this.pause()));
    setHandler(definitions.resumeSignal, (payload) => this.obey('resume', payload, () => this.resume()));
    setHandler(definitions.abortRunSignal, (payload) => this.obey('abort', payload, () => this.abort()));
    setHandler(definitions.pauseUpdate, (note) => this.answer(this.given('pause', note).pause()), {
      validator: parseNote,
    });
    setHandler(definitions.resumeUpdate, (note) => this.answer(this.given('resume', note).resume()), {
      validator: parseNote,
    });
    setHandler(
      definitions.abortUpdate,
      (note) => {
        this.given('abort', note).abort();
        return this.progress();
      },
      { validator: parseNote },
    );
    setHandler(
      definitions.setWindowUpdate,
      (window) => {
        this.window = window as number;
        this.orderedWindow = this.window;
        return this.progress();
      },
      { validator: (window) => this.parse('setWindow', setWindowSchema, window) },
    );
  }

  private async obey(
    order: GivenOrder['order'],
    payload: unknown,
    carryOut: () => Promise<void> | void,
  ): Promise<void> {
    const parsed = parseInput(operatorNoteSchema, payload ?? {});
    if (parsed.ok) {
      this.given(order, parsed.value);
      await carryOut();
    } else this.note(order, parsed.faults);
  }

  /** Keeps who ordered it and why. The first `abort` is the one that counts. */
  private given(order: GivenOrder['order'], payload: unknown): this {
    const note = operatorNoteSchema.parse(payload ?? {});
    if (!this.aborting && this.ended === undefined) this.lastOrder = { ...note, order, atMs: Date.now() };
    return this;
  }

  private handleNews(): void {
    setHandler(definitions.endpointChangedSignal, (payload) => {
      const parsed = parseInput(endpointChangeSchema, payload);
      if (!parsed.ok) return this.note('endpointChanged', parsed.faults);
      const { endpointId, circuit } = parsed.value;
      if (circuit === 'closed') this.endpoints.delete(endpointId);
      else this.endpoints.set(endpointId, parsed.value);
      this.show();
    });
    for (const definition of [definitions.fuseOpenSignal, definitions.haltRequestedSignal]) {
      setHandler(definition, async (payload) => {
        const parsed = parseInput(haltNoticeSchema, payload);
        if (parsed.ok) await this.halt(() => this.halts.set(parsed.value.endpointId, parsed.value));
        else this.note(definition.name, parsed.faults);
      });
    }
  }

  private async answer(done: Promise<void>): Promise<BatchProgress> {
    await done;
    return this.progress();
  }

  private parse(name: string, schema: z.ZodType, payload: unknown): void {
    const parsed = parseInput(schema, payload);
    if (!parsed.ok) throw ApplicationFailure.nonRetryable(`${name}: ${parsed.faults}`, 'InvalidInput');
  }

  private note(name: string, fault: string): void {
    log.warn('message refused', { name, fault });
    this.unknownMessages.push(`${name}: ${fault}`);
    this.unknownMessages.splice(0, this.unknownMessages.length - 20);
  }
}
