import type { CallOptions } from '../providers/provider.js';
import type { Attempt, AttemptServices } from './attempt.js';

export function callOptions({ apiKey }: AttemptServices, { cancellation, deadlineMs }: Attempt): CallOptions {
  return { cancellation, deadlineMs, ...(apiKey === undefined ? {} : { apiKey }) };
}
