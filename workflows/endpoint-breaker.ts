import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  getExternalWorkflowHandle,
  log,
  proxyActivities,
  setDefaultSignalHandler,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { SignalDefinition } from '@temporalio/common';
import type { z } from 'zod';
import type { EndpointActivities } from '../activities/contracts.js';
import { initialBreakerState, type BreakerEffect, type BreakerState } from '../src/breaker/state.js';
import { gateAnswer, viewBreaker } from '../src/breaker/view.js';
import { endpointSettingsSchema } from '../src/endpoint.js';
import { parseInput } from '../src/parse-input.js';
import * as messages from '../src/messages.js';
import { BreakerEntity, type Unstamped } from './breaker-entity.js';
import * as definitions from './message-definitions.js';

const defaultRolloverEvents = 2000;

const { raiseAlert, isWorkflowRunning, findHolders } = proxyActivities<EndpointActivities>({
  startToCloseTimeout: '15s',
  retry: { initialInterval: '1s', maximumAttempts: 5 },
});

/**
 * One endpoint, for all runs: its circuit, its permits and the only prober (design.md section 5). Lives for ever; rolls
 * over by continue-as-new with everything it knows. Input is `EndpointBreakerInput`; started by whoever needs it first.
 */
export async function endpointBreaker(input: messages.EndpointBreakerInput): Promise<never> {
  const parsed = parseInput(messages.endpointBreakerInputSchema, input);
  if (!parsed.ok) throw ApplicationFailure.nonRetryable(`endpointBreaker input: ${parsed.faults}`, 'InvalidInput');
  const { settings, carried, continueAsNewAfterEvents = defaultRolloverEvents } = parsed.value;
  const state = (carried as BreakerState | undefined) ?? initialBreakerState(settings, Date.now());
  const entity = new BreakerEntity(state, performEffect);
  handleMessages(entity);

  if (entity.state.adopting === true) void adoptHolders(entity);

  const isRolloverDue = (): boolean =>
    workflowInfo().continueAsNewSuggested || workflowInfo().historyLength > continueAsNewAfterEvents;
  await entity.run(isRolloverDue);
  await condition(allHandlersFinished);
  return continueAsNew<typeof endpointBreaker>({
    settings: entity.state.settings,
    carried: entity.state,
    continueAsNewAfterEvents,
  });
}

/** Handlers are synchronous: they change the state, and leave what follows to the main loop. */
function handleMessages(entity: BreakerEntity): void {
  setHandler(definitions.acquirePermitUpdate, (request) => entity.acquire(request), {
    validator: (request) => {
      const parsed = parseInput(messages.permitRequestSchema, request);
      if (!parsed.ok) throw ApplicationFailure.nonRetryable(parsed.faults, 'InvalidInput');
    },
  });
  setHandler(definitions.breakerStateQuery, () => ({
    ...viewBreaker(entity.state),
    unknownMessages: entity.unknownMessages,
  }));
  setHandler(definitions.gateQuery, (requestId) => gateAnswer(entity.state, requestId));
  handleReports(entity);
  handleOrders(entity);
  // Last: it would take the signals that came with the start from handlers that are yet to be set.
  setDefaultSignalHandler((name) => entity.note(name, 'no such signal here'));
}

/** Parses a signal's payload, and dispatches the event it stands for or notes what is wrong with it. */
function onSignal<T>(
  entity: BreakerEntity,
  definition: SignalDefinition<[unknown]>,
  reading: { readonly schema: z.ZodType<T>; readonly event: (payload: T) => Unstamped },
): void {
  setHandler(definition, (payload) => {
    const parsed = parseInput(reading.schema, payload ?? {});
    if (parsed.ok) entity.dispatch(reading.event(parsed.value));
    else entity.note(definition.name, parsed.faults);
  });
}

/** From episodes and the activities that call. */
function handleReports(entity: BreakerEntity): void {
  onSignal(entity, definitions.releasePermitSignal, {
    schema: messages.releasePermitSchema,
    event: (release) => ({ kind: 'release', release }),
  });
  onSignal(entity, definitions.callFailedSignal, {
    schema: messages.callReportSchema,
    event: ({ requestId, reason }) => ({ kind: 'callFailed', requestId, reason: reason ?? 'no answer' }),
  });
  onSignal(entity, definitions.callSucceededSignal, {
    schema: messages.callReportSchema,
    event: ({ requestId }) => ({ kind: 'callSucceeded', requestId }),
  });
  onSignal(entity, definitions.episodeGoneSignal, {
    schema: messages.workflowRefSchema,
    event: ({ workflowId }) => ({ kind: 'episodeGone', workflowId }),
  });
}

/** From batches, workers and operators; an operator may send no payload at all. */
function handleOrders(entity: BreakerEntity): void {
  onSignal(entity, definitions.resumeBatchSignal, {
    schema: messages.workflowRefSchema,
    event: ({ workflowId }) => ({ kind: 'resumeBatch', batchWorkflowId: workflowId }),
  });
  onSignal(entity, definitions.configureSignal, {
    schema: endpointSettingsSchema,
    event: (settings) => ({ kind: 'configure', settings }),
  });
  onSignal(entity, definitions.probeNowSignal, {
    schema: messages.operatorNoteSchema,
    event: () => ({ kind: 'probeNow' }),
  });
  onSignal(entity, definitions.isolateSignal, {
    schema: messages.operatorNoteSchema,
    event: ({ by, reason }) => ({ kind: 'isolate', reason: reason ?? `isolated by ${by ?? 'an operator'}` }),
  });
  onSignal(entity, definitions.resetSignal, { schema: messages.operatorNoteSchema, event: () => ({ kind: 'reset' }) });
}

/** Sends a signal; false when nobody of that id is there any more. */
async function signalWorkflow(workflowId: string, name: string, payload: unknown): Promise<boolean> {
  try {
    await getExternalWorkflowHandle(workflowId).signal(name, payload);
    return true;
  } catch (error) {
    log.info('a signal reached nobody', { workflowId, name, error });
    return false;
  }
}

async function performEffect(effect: BreakerEffect, entity: BreakerEntity): Promise<void> {
  const { permitGranted } = messages.messageNames.episode.signals;
  switch (effect.kind) {
    case 'grant': {
      const { workflowId, requestId } = effect.permit.request;
      const isDelivered = await signalWorkflow(workflowId, permitGranted, entity.answerOf(effect));
      if (!isDelivered) entity.dispatch({ kind: 'undeliverable', requestId });
      return;
    }
    case 'deny':
      await signalWorkflow(effect.request.workflowId, permitGranted, entity.answerOf(effect));
      return;
    case 'halt': {
      const { fuseOpen, haltRequested } = messages.messageNames.batch.signals;
      const name = effect.notice.failureType === 'ResilienceFuseOpen' ? fuseOpen : haltRequested;
      await signalWorkflow(effect.batchWorkflowId, name, effect.notice);
      return;
    }
    case 'notify':
      await Promise.all(
        effect.workflowIds.map((workflowId) =>
          signalWorkflow(workflowId, messages.messageNames.endpointChanged, effect.change),
        ),
      );
      return;
    case 'alert':
      return raiseAlert({ endpointId: entity.state.settings.endpointId, alert: effect.alert });
    case 'probe':
      return probe(entity);
    case 'checkHolder': {
      const running = await isWorkflowRunning({ workflowId: effect.workflowId });
      entity.dispatch({ kind: 'holderChecked', requestId: effect.requestId, running });
      return;
    }
    case 'awaitIdle':
      return awaitIdle(entity, effect);
  }
}

/**
 * Begun anew, e.g. after a termination, an endpoint does not know who is calling: it asks the episodes that run. Where
 * they cannot be asked it starts empty, and every attempt but a first one finds its permit lost.
 */
async function adoptHolders(entity: BreakerEntity): Promise<void> {
  const { endpointId } = entity.state.settings;
  const found = await findHolders({ endpointId }).catch((error: unknown) => {
    log.warn('holders of permits could not be found', { error });
    return { requests: [], waiting: [] };
  });
  entity.dispatch({ kind: 'adopted', ...found });
}

/** One attempt, with a deadline of its own; a probe that is lost with its worker has failed. */
async function probe(entity: BreakerEntity): Promise<void> {
  const { settings, counters } = entity.state;
  const { probeEndpoint } = proxyActivities<EndpointActivities>({
    startToCloseTimeout: settings.probeDeadlineSec * 1000 + 5000,
    retry: { maximumAttempts: 1 },
    summary: `probe #${counters.probes}`,
  });
  const answer = await probeEndpoint({ settings }).catch(() => ({ failure: { reason: 'the probe got lost' } }));
  entity.dispatch({ kind: 'probeEnded', ...answer });
}

async function awaitIdle(entity: BreakerEntity, effect: Extract<BreakerEffect, { kind: 'awaitIdle' }>): Promise<void> {
  const activities = proxyActivities<EndpointActivities>({
    startToCloseTimeout: effect.forSec * 1000 + 30_000,
    heartbeatTimeout: '30s',
    retry: { maximumAttempts: 5 },
  });
  const isIdle = await activities.awaitIdle({ settings: entity.state.settings, forSec: effect.forSec });
  if (isIdle) entity.dispatch({ kind: 'drained', requestId: effect.requestId });
}
