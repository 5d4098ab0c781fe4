import { z } from 'zod';
import { isServedModel } from '../../src/served-model.js';
import { CallFailure, ownFailure } from './call-failure.js';
import { withLimit } from './call-scope.js';
import { parsedAs, send, type Sender } from './http.js';
import type { AnswerSource, Service } from './provider.js';
import { apiUrl } from './service-url.js';

/** A list of models is not worth more of a call's time than this. */
const listLimitMs = 5000;

const openAiListSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Exact ids of `GET /v1/models`; undefined where the server has no such list. */
export async function listOpenAiModels(
  sender: Sender,
  headers: Readonly<Record<string, string>>,
): Promise<readonly string[] | undefined> {
  const url = apiUrl(sender.service.url, '/v1/models');
  try {
    const answer = await send(sender, { method: 'GET', url, purpose: 'models', headers });
    return parsedAs(answer, openAiListSchema).data.map((model) => model.id);
  } catch (error) {
    if (error instanceof CallFailure && [404, 405, 501].includes(error.details.status ?? 0)) return undefined;
    throw error;
  }
}

/** `Misconfigured`, with both names, unless the service names the model that was asked for. */
export function confirmModel(service: Service, reported: string): void {
  if (isServedModel(service.wire, service.model, reported)) return;
  throw wrongModel(service, reported);
}

function wrongModel(service: Service, reported: string): CallFailure {
  return ownFailure('Misconfigured', service, {
    code: 'wrong_model',
    summary: `model ${service.model} was asked for, ${reported} is served; nothing of it is kept`,
    modelExpected: service.model,
    modelReported: reported,
  });
}

/**
 * For services whose answers name no model: their list must hold the exact id right before or right after the work,
 * and must never lack it. A list that does not come in time decides nothing by itself (a service that computes may not
 * answer), but an answer confirmed by neither is not taken.
 */
export async function underListedModel<T extends object>(
  sender: Sender,
  headers: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T & Pick<AnswerSource, 'modelReported' | 'modelReportedBy'>> {
  const { service } = sender;
  const before = await listInTime(sender, headers, Math.min(listLimitMs, sender.scope.remainingMs / 4));
  refuseUnlisted(service, before);
  const answer = await work();
  const after = await listInTime(sender, headers, listLimitMs);
  refuseUnlisted(service, after);
  if (typeof before === 'string' && typeof after === 'string') {
    throw ownFailure(after === 'none' ? 'Misconfigured' : 'EndpointUnavailable', service, {
      code: 'model_unknown',
      summary: 'it answered, but neither the answer nor a list of models says which model that was',
    });
  }
  return { ...answer, modelReported: service.model, modelReportedBy: 'models' };
}

/** The ids; `none`: it has no such list; `late`: the list did not come this time. */
type Listed = readonly string[] | 'none' | 'late';

function refuseUnlisted(service: Service, listed: Listed): void {
  if (typeof listed === 'string' || listed.some((id) => isServedModel(service.wire, service.model, id))) return;
  throw wrongModel(service, listed.length === 0 ? 'no model' : listed.slice(0, 5).join(', '));
}

async function listInTime(sender: Sender, headers: Readonly<Record<string, string>>, limitMs: number): Promise<Listed> {
  try {
    return (
      (await withLimit(sender.scope, limitMs, (scope) => listOpenAiModels({ ...sender, scope }, headers))) ?? 'none'
    );
  } catch (error) {
    if (error instanceof CallFailure && error.type === 'EndpointUnavailable') return 'late';
    throw error;
  }
}
