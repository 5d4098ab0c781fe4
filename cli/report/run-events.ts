import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import type { Client } from '@temporalio/client';

/** A workflow's history as the client fetches it. */
export type History = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>;
type HistoryEvent = NonNullable<History['events']>[number];
type Failure = NonNullable<NonNullable<HistoryEvent['workflowExecutionFailedEventAttributes']>['failure']>;

export type Ending = 'completed' | 'failed' | 'timedOut' | 'cancelled' | 'terminated' | 'continuedAsNew';

/** What a report needs of one event, with its payloads read. */
export type RunEvent = { readonly atMs: number } & (
  | { readonly kind: 'started'; readonly input: unknown; readonly previousRunId?: string }
  | {
      readonly kind: 'scheduled';
      readonly activityId: string;
      readonly activity: string;
      readonly input: unknown;
      readonly summary?: string;
    }
  | { readonly kind: 'attempt'; readonly activityId: string; readonly attempt: number }
  | {
      readonly kind: 'closed';
      readonly activityId: string;
      readonly how: Ending;
      readonly result: unknown;
      readonly message?: string;
    }
  | { readonly kind: 'attributes'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: 'signal'; readonly name: string; readonly payload: unknown }
  | { readonly kind: 'ended'; readonly how: Ending; readonly result: unknown; readonly message?: string }
);

/** The events of one run, in order; those that say nothing to a report are left out. */
export function runEvents(history: History): RunEvent[] {
  return (history.events ?? []).flatMap((event) => {
    const what = startOf(event) ?? activityEventOf(event) ?? messageOf(event) ?? endOf(event);
    return what === undefined ? [] : [{ ...what, atMs: timeOf(event) }];
  });
}

type Untimed = RunEvent extends infer E ? (E extends RunEvent ? Omit<E, 'atMs'> : never) : never;

function startOf({ workflowExecutionStartedEventAttributes: started }: HistoryEvent): Untimed | undefined {
  if (!started) return undefined;
  const previousRunId = started.continuedExecutionRunId ?? '';
  return { kind: 'started', input: read(started.input), ...(previousRunId === '' ? {} : { previousRunId }) };
}

function activityEventOf(event: HistoryEvent): Untimed | undefined {
  const { activityTaskScheduledEventAttributes: scheduled, activityTaskStartedEventAttributes: started } = event;
  if (scheduled) {
    const summary = readOne(event.userMetadata?.summary);
    return {
      kind: 'scheduled',
      activityId: idOf(event.eventId),
      activity: scheduled.activityType?.name ?? '',
      input: read(scheduled.input),
      ...(typeof summary === 'string' ? { summary } : {}),
    };
  }
  if (started) {
    return { kind: 'attempt', activityId: idOf(started.scheduledEventId), attempt: started.attempt ?? 1 };
  }
  return activityEndOf(event);
}

function activityEndOf(event: HistoryEvent): Untimed | undefined {
  const {
    activityTaskCompletedEventAttributes: completed,
    activityTaskFailedEventAttributes: failed,
    activityTaskTimedOutEventAttributes: timedOut,
    activityTaskCanceledEventAttributes: cancelled,
  } = event;
  const closed = (
    of: { scheduledEventId?: unknown },
    how: Ending,
  ): { kind: 'closed'; activityId: string; how: Ending } => ({
    kind: 'closed',
    activityId: idOf(of.scheduledEventId),
    how,
  });
  if (completed) return { ...closed(completed, 'completed'), result: read(completed.result) };
  if (failed) return { ...closed(failed, 'failed'), ...whyOf(failed.failure) };
  if (timedOut) return { ...closed(timedOut, 'timedOut'), ...whyOf(timedOut.failure) };
  return cancelled ? { ...closed(cancelled, 'cancelled'), result: undefined } : undefined;
}

function messageOf(event: HistoryEvent): Untimed | undefined {
  const {
    upsertWorkflowSearchAttributesEventAttributes: upserted,
    workflowExecutionSignaledEventAttributes: signaled,
  } = event;
  if (signaled) return { kind: 'signal', name: signaled.signalName ?? '', payload: read(signaled.input) };
  if (!upserted) return undefined;
  const fields = Object.entries(upserted.searchAttributes?.indexedFields ?? {});
  return { kind: 'attributes', values: Object.fromEntries(fields.map(([name, value]) => [name, readOne(value)])) };
}

function endOf(event: HistoryEvent): Untimed | undefined {
  const {
    workflowExecutionCompletedEventAttributes: completed,
    workflowExecutionFailedEventAttributes: failed,
    workflowExecutionTerminatedEventAttributes: terminated,
  } = event;
  if (completed) return { kind: 'ended', how: 'completed', result: read(completed.result) };
  if (failed) return { kind: 'ended', how: 'failed', ...whyOf(failed.failure) };
  if (terminated) return { kind: 'ended', how: 'terminated', result: undefined };
  if (event.workflowExecutionCanceledEventAttributes) return { kind: 'ended', how: 'cancelled', result: undefined };
  if (event.workflowExecutionTimedOutEventAttributes) return { kind: 'ended', how: 'timedOut', result: undefined };
  if (!event.workflowExecutionContinuedAsNewEventAttributes) return undefined;
  return { kind: 'ended', how: 'continuedAsNew', result: undefined };
}

/** Our failures carry what is known as their first detail. */
function whyOf(failure: Failure | null | undefined): { readonly result: unknown; readonly message?: string } {
  const message = failure?.message ?? '';
  const result = read(failure?.applicationFailureInfo?.details);
  return { result, ...(message === '' ? {} : { message }) };
}

/** The first of some payloads. */
function read(payloads: { payloads?: Payload[] | null } | null | undefined): unknown {
  return readOne(payloads?.payloads?.[0]);
}

/** A payload that this client has no key for, or no reader, is nothing to it. */
function readOne(payload: Payload | null | undefined): unknown {
  if (!payload) return undefined;
  try {
    return defaultPayloadConverter.fromPayload(payload);
  } catch {
    return undefined;
  }
}

function idOf(id: unknown): string {
  return String(id);
}

function timeOf({ eventTime }: HistoryEvent): number {
  return Math.round(Number(eventTime?.seconds ?? 0) * 1000 + (eventTime?.nanos ?? 0) / 1e6);
}
