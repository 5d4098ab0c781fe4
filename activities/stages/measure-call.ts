import { Context, metricMeter } from '@temporalio/activity';
import { addTo, metrics } from '../../src/metrics.js';
import { classOf } from '../throw-failure.js';
import type { StageContext } from './stage-work.js';

/** Counts and times one call of a stage to its service; a transcription that is sent in chunks is one call. */
export async function measureCall<T>(context: StageContext, call: () => Promise<T>): Promise<T> {
  const { stage, service } = context;
  const labels = { endpoint: service.endpointId, stage, model: service.model };
  const startedAtMs = performance.now();
  let outcome = 'ok';
  try {
    return await call();
  } catch (error) {
    const isCancelled = Context.current().cancellationSignal.aborted;
    outcome = isCancelled ? 'cancelled' : (classOf(error)?.type ?? 'InternalError');
    throw error;
  } finally {
    const { name, unit, help } = metrics.callDuration;
    const seconds = (performance.now() - startedAtMs) / 1000;
    metricMeter.createHistogram(name, 'float', unit, help).record(seconds, labels);
    addTo(metricMeter, metrics.calls, { labels: { ...labels, outcome } });
  }
}

/** An answer that is no use; `service` is the question that was asked. */
export interface Violation {
  readonly service: string;
  readonly reason: string;
  readonly endpointId: string;
  /** It is asked for once more. */
  readonly isAskedAgain: boolean;
}

export function countViolation({ service, reason, endpointId: endpoint, isAskedAgain }: Violation): void {
  addTo(metricMeter, metrics.violations, { labels: { service, reason, endpoint } });
  if (isAskedAgain) addTo(metricMeter, metrics.rerolls, { labels: { service, endpoint } });
}
