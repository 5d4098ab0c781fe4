import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { BreakerView } from '../src/breaker/view.js';
import {
  messageNames,
  type GateAnswer,
  type PermitAnswer,
  type PermitInHand,
  type PermitRequest,
} from '../src/messages.js';
import type { BatchProgress, BatchStatus } from '../src/batch-status.js';
import type { EpisodeStatus } from './episode-state.js';

/*
 * Every message handled by our workflows. Payloads of signals are `unknown`: they come from anybody, and are parsed in
 * the handler.
 */
const { batch, episode, endpoint, endpointChanged } = messageNames;

export const endpointChangedSignal = defineSignal<[unknown]>(endpointChanged);

// Batch. Signals and updates share names: the update answers, and refuses what the signal can only record.
export const pauseSignal = defineSignal<[unknown]>(batch.signals.pause);
export const resumeSignal = defineSignal<[unknown]>(batch.signals.resume);
export const abortRunSignal = defineSignal<[unknown]>(batch.signals.abort);
export const fuseOpenSignal = defineSignal<[unknown]>(batch.signals.fuseOpen);
export const haltRequestedSignal = defineSignal<[unknown]>(batch.signals.haltRequested);
export const pauseUpdate = defineUpdate<BatchProgress, [unknown]>(batch.updates.pause);
export const resumeUpdate = defineUpdate<BatchProgress, [unknown]>(batch.updates.resume);
export const abortUpdate = defineUpdate<BatchProgress, [unknown]>(batch.updates.abort);
export const setWindowUpdate = defineUpdate<BatchProgress, [unknown]>(batch.updates.setWindow);
export const progressQuery = defineQuery<BatchProgress, []>(batch.queries.progress);
export const batchStatusQuery = defineQuery<BatchStatus, []>(batch.queries.status);

// Episode; `pause` and `resume` as for a batch.
export const permitGrantedSignal = defineSignal<[unknown]>(episode.signals.permitGranted);
export const permitQuery = defineQuery<PermitInHand, []>(episode.queries.permit);
export const episodeStatusQuery = defineQuery<EpisodeStatus, []>(episode.queries.status);

// Endpoint.
export const acquirePermitUpdate = defineUpdate<PermitAnswer, [PermitRequest]>(endpoint.updates.acquirePermit);
export const releasePermitSignal = defineSignal<[unknown]>(endpoint.signals.releasePermit);
export const callFailedSignal = defineSignal<[unknown]>(endpoint.signals.callFailed);
export const callSucceededSignal = defineSignal<[unknown]>(endpoint.signals.callSucceeded);
export const resumeBatchSignal = defineSignal<[unknown]>(endpoint.signals.resumeBatch);
export const episodeGoneSignal = defineSignal<[unknown]>(endpoint.signals.episodeGone);
export const configureSignal = defineSignal<[unknown]>(endpoint.signals.configure);
export const probeNowSignal = defineSignal<[unknown]>(endpoint.signals.probeNow);
export const isolateSignal = defineSignal<[unknown]>(endpoint.signals.isolate);
export const resetSignal = defineSignal<[unknown]>(endpoint.signals.reset);
export const breakerStateQuery = defineQuery<BreakerView & { readonly unknownMessages: readonly string[] }, []>(
  endpoint.queries.state,
);
export const gateQuery = defineQuery<GateAnswer, [string]>(endpoint.queries.gate);
