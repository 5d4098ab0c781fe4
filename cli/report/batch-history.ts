import { z } from 'zod';
import { batchInputSchema, batchStateSchema, type BatchInput, type BatchState } from '../../src/batch.js';
import { runPlanSchema, type RunPlan } from '../../src/run-plan.js';
import { stateSpans } from './endpoint-timeline.js';
import type { Period, StateSpan } from './facts.js';
import type { RunEvent } from './run-events.js';

/** What a later run was given by the one before. */
const carriedSchema = z.object({
  carried: z.object({ plan: z.unknown(), startedAtMs: z.number(), counts: z.object({ requested: z.number() }) }),
});
const listedSchema = z.object({ requested: z.number() });

/** What the histories of a batch's runs say, oldest first; the first may be gone. */
export class BatchHistory {
  private readonly events: readonly RunEvent[];
  private readonly inputs: readonly unknown[];

  constructor(
    private readonly runs: readonly (readonly RunEvent[])[],
    private readonly nowMs: number,
  ) {
    this.events = runs.flat();
    this.inputs = this.events.flatMap((event) => (event.kind === 'started' ? [event.input] : []));
  }

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  get isOpen(): boolean {
    return !(this.runs.at(-1) ?? []).some(({ kind }) => kind === 'ended');
  }

  get period(): Period {
    const lastMs = this.events.at(-1)?.atMs ?? this.nowMs;
    const toMs = this.isOpen ? Math.max(this.nowMs, lastMs) : lastMs;
    return { fromMs: this.carried?.startedAtMs ?? this.events[0]?.atMs ?? toMs, toMs };
  }

  /** As given; undefined where it is none: it was refused then, and that is the story of the batch. */
  get input(): BatchInput | undefined {
    // A later run's input has more in it: what it carries.
    const given = z.object(batchInputSchema.shape);
    return this.inputs.map((input) => given.safeParse(input).data).find((input) => input !== undefined);
  }

  /** Resolved by an activity of the first run, and carried by the others. */
  get plan(): RunPlan | undefined {
    const plans = [...this.resultsOf('resolveRunPlan'), this.carried?.plan];
    return plans.map((plan) => runPlanSchema.safeParse(plan).data).find((plan) => plan !== undefined);
  }

  /** Episodes asked for; 0 until they are listed. */
  get requested(): number {
    const listed = this.resultsOf('listEpisodes').map((result) => listedSchema.safeParse(result).data?.requested);
    return listed.find((requested) => requested !== undefined) ?? this.carried?.counts.requested ?? 0;
  }

  get states(): StateSpan[] {
    return stateSpans(this.changes(), this.period);
  }

  /** As it showed itself last. */
  get lastState(): BatchState {
    return batchStateSchema.safeParse(this.changes().at(-1)?.state).data ?? 'running';
  }

  private changes(): { atMs: number; state: string }[] {
    const changes = this.events.flatMap((event) => {
      const state = event.kind === 'attributes' ? event.values['HoldfastState'] : undefined;
      return typeof state === 'string' ? [{ atMs: event.atMs, state }] : [];
    });
    return [{ atMs: this.period.fromMs, state: 'running' }, ...changes];
  }

  private get carried(): z.infer<typeof carriedSchema>['carried'] | undefined {
    return this.inputs.map((input) => carriedSchema.safeParse(input).data?.carried).find((one) => one !== undefined);
  }

  private resultsOf(activity: string): unknown[] {
    return this.runs.flatMap((events) => {
      const ids = events.flatMap((event) =>
        event.kind === 'scheduled' && event.activity === activity ? [event.activityId] : [],
      );
      return events.flatMap((event) =>
        event.kind === 'closed' && ids.includes(event.activityId) && event.how === 'completed' ? [event.result] : [],
      );
    });
  }
}
