import type { BatchInput } from '../../src/batch.js';
import type { CallRecord } from '../support/stub/call-log.js';
import { until, type DrillSite } from './drill-site.js';

/** Somebody who works a batch from outside, with a program of their own. */
export interface Operator {
  readonly batchId: string;
  start(input: BatchInput): Promise<void>;
  status(): Promise<{ readonly state: string; readonly why: string }>;
  resume(): Promise<void>;
  abort(): Promise<void>;
}

/** What an operator was told, and the call that the abort found in flight. */
export interface BatchLife {
  readonly held: string;
  readonly halted: string;
  readonly cut: CallRecord;
}

export interface LifeOptions {
  /** Looks at the batch while it is halted. */
  readonly whileHalted?: () => Promise<void>;
}

/** Takes a batch through its whole life: held, recovered, halted, resumed, aborted. */
export async function liveThrough(drill: DrillSite, operator: Operator, options: LifeOptions = {}): Promise<BatchLife> {
  const speaches = drill.endpoint('dgx-speaches');
  const isState = (state: string): Promise<true> =>
    until(`the batch to be ${state}`, async () => (await drill.batchStatus(operator.batchId)).state === state);
  // The operator asks only where the batch stands still: a program that is started takes seconds on a busy machine.
  const toldWhen = async (state: string): Promise<string> => {
    await isState(state);
    return (await operator.status()).why;
  };
  await operator.start(drill.batchInput({ overrides: { resilience_on_open_max_wait_sec: 8 } }));
  await until('work', () => speaches.counters.workCalls > 0);

  await speaches.down('status:503');
  const held = await toldWhen('holding');
  await speaches.up();
  await isState('running');

  await speaches.down('status:503');
  const halted = await toldWhen('halted');
  await options.whileHalted?.();
  await speaches.up();
  await operator.resume();
  await isState('running');

  speaches.script({ rules: [{ when: { kind: 'work' }, mode: 'slow:120s' }] });
  const cut = await until('a call in flight', () => speaches.calls.find(({ mode }) => mode === 'slow'));
  await operator.abort();
  return { held, halted, cut };
}
