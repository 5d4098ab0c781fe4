import type { IncomingMessage, ServerResponse } from 'node:http';
import { audioDurationSec } from './audio-duration.js';
import type { CallRecord } from './call-log.js';
import { cannedSpeech, distortSpeech } from './canned-speech.js';
import type { EndpointServer } from './endpoint-server.js';
import { errorReply, fixedReply, spoiled } from './mode-replies.js';
import { parseMode, parseMs, type Mode } from './mode.js';
import { readRequestBody, type RequestBody } from './request-body.js';
import type { Behaviour } from './script.js';
import { jsonReply, type InferenceCall, type Reply } from './shapes/shape.js';
import { resetConnection, sendReply } from './wire-reply.js';

export interface CallInHand {
  readonly endpoint: EndpointServer;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly record: CallRecord;
  /** Resolves when the connection or the answer has ended. */
  readonly closed: Promise<void>;
  /** False: the shape has no such path. */
  readonly known: boolean;
}

const ok = parseMode('ok');

/** Serves one request by the endpoint's script. */
export async function answerCall(call: CallInHand): Promise<void> {
  const { endpoint, record } = call;
  if (!call.known) return reply(call, endpoint.shape.error(404, 'Not Found'), ok);
  if (record.kind === 'health' || record.kind === 'models') return answerHealth(call);
  const early = endpoint.player.looksAtBody ? undefined : chooseBehaviour(call, undefined);
  if (early && (await beforeUpload(call, early.mode))) return;
  const done = endpoint.log.computing(record.kind);
  try {
    const body = await readRequestBody(call.request);
    note(call, body);
    const behaviour = early ?? chooseBehaviour(call, body);
    if (!early && (await beforeUpload(call, behaviour.mode))) return;
    await compute(call, body, behaviour);
  } finally {
    record.computedUntilMs = Date.now();
    done();
  }
}

async function answerHealth(call: CallInHand): Promise<void> {
  const { endpoint, record } = call;
  const { mode } = endpoint.downMode ? { mode: endpoint.downMode } : endpoint.player.next({ kind: record.kind });
  record.mode = mode.name;
  if (endpoint.options.healthBlocksWhileBusy === true) await endpoint.idle();
  if (mode.name === 'hang') return;
  if (mode.name === 'reset') {
    cut(call);
    return;
  }
  if (mode.name === 'slow') await wait(parseMs(mode.argument, 200));
  const model = mode.name === 'wrong-model' ? (endpoint.options.wrongModel ?? 'another/model') : endpoint.model;
  const loading = mode.name === 'loading';
  const good = record.kind === 'health' ? endpoint.shape.health(model, loading) : endpoint.shape.models(model);
  const sleeping = jsonReply(200, { is_sleeping: mode.name === 'asleep' });
  const error = loading && record.kind === 'health' ? undefined : errorReply(mode, endpoint.shape);
  await reply(call, error ?? (call.url.pathname === '/is_sleeping' ? sleeping : good), mode);
}

function chooseBehaviour(call: CallInHand, body: RequestBody | undefined): Behaviour {
  const { endpoint, record } = call;
  if (endpoint.downMode) {
    record.mode = endpoint.downMode.name;
    return { mode: endpoint.downMode, reply: undefined };
  }
  const seen = {
    kind: record.kind,
    sha256: body?.file?.sha256,
    text: body && `${body.text}\n${body.file?.name ?? ''}`,
  };
  const chosen = endpoint.player.next(seen);
  record.mode = chosen.mode.name;
  // A body that has been read is counted as computing already.
  const others = endpoint.log.nowComputing - (body ? 1 : 0);
  return { ...chosen, mode: settled(call, chosen.mode, others) };
}

/** Modes that depend on the call become the mode they mean for it. */
function settled(call: CallInHand, mode: Mode, others: number): Mode {
  const { record, endpoint } = call;
  switch (mode.name) {
    case 'ok-for-probe-then-fail':
      return parseMode(record.kind === 'probe' ? 'ok' : `status:${mode.argument ?? '500'}`);
    case 'health-ok-infer-hang':
      return parseMode('hang');
    case 'reset-on-second':
      return parseMode(record.requestOnConnection > 1 ? 'reset' : 'ok');
    case 'coldload':
      return endpoint.answered.length === 0 ? { ...mode, name: 'slow' } : ok;
    case 'oom-if-inflight':
      return others >= Number(mode.argument ?? 1) ? parseMode(`oom-then-gone:${mode.options['gone'] ?? '500'}`) : ok;
    default:
      return mode;
  }
}

/** What happens to a request before its body is read. True: it is over. */
async function beforeUpload(call: CallInHand, mode: Mode): Promise<boolean> {
  const { request, response, endpoint } = call;
  switch (mode.name) {
    case 'reset':
      cut(call);
      return true;
    case 'reset-upload':
      request.once('data', () => {
        cut(call);
      });
      await call.closed;
      return true;
    case 'slow-upload':
      request.pause();
      await Promise.race([call.closed, wait(parseMs(mode.argument, 600_000))]);
      return response.destroyed;
    case 'early-413':
      await reply(call, { ...endpoint.shape.error(413, 'too large'), headers: { connection: 'close' } }, ok);
      response.socket?.destroySoon();
      return true;
    default:
      return false;
  }
}

/** Works on a call that has been read, for as long as the service takes, then answers. */
async function compute(call: CallInHand, body: RequestBody, behaviour: Behaviour): Promise<void> {
  const { endpoint, record } = call;
  const { mode } = behaviour;
  const endTurn = await endpoint.takeTurn();
  try {
    if (mode.name === 'hang') {
      await call.closed;
      return;
    }
    if (!(await worked(call, body, mode))) return;
  } finally {
    endTurn();
  }
  const made = makeReply(call, body, behaviour);
  if (made.status === 200 && body.file) remember(endpoint, body.file.sha256);
  if (!body.file && made.status === 200) remember(endpoint, `${record.seq}`);
  await reply(call, made, mode);
  if (mode.name === 'oom-then-gone')
    await endpoint.downFor(parseMs(mode.argument, 500), { loadingMs: parseMs(mode.options['loading'], 200) });
  if (mode.name === 'hangbody' || mode.name === 'sse-stall') await call.closed;
}

/** Computes; false when the client went away before the end (a zombie has been worked off by then). */
async function worked(call: CallInHand, body: RequestBody, mode: Mode): Promise<boolean> {
  const { endpoint, record } = call;
  const cached = endpoint.options.shape === 'moss' && endpoint.answered.includes(body.file?.sha256 ?? '');
  const refused = errorReply(mode, endpoint.shape) !== undefined;
  const byDefault = record.kind === 'work' && !cached && !refused ? (endpoint.options.serviceMs ?? 0) : 0;
  const takesMs = mode.name === 'slow' || mode.name === 'zombie' ? parseMs(mode.argument, 200) : byDefault;
  const startedAtMs = Date.now();
  const gone = await Promise.race([call.closed.then(() => true), wait(takesMs).then(() => false)]);
  if (!gone) return true;
  const restMs = takesMs - (Date.now() - startedAtMs);
  const zombieMs = mode.name === 'zombie' ? restMs : Math.min(restMs, endpoint.options.zombieMs ?? 0);
  if (zombieMs > 0) await wait(zombieMs);
  if (zombieMs >= restMs && body.file) remember(endpoint, body.file.sha256);
  return false;
}

function makeReply(call: CallInHand, body: RequestBody, behaviour: Behaviour): Reply {
  const { endpoint, url } = call;
  const { mode } = behaviour;
  if (behaviour.reply) return fixedReply(behaviour.reply);
  const error = errorReply(mode, endpoint.shape);
  if (error) return error;
  if (!hasKey(call)) return endpoint.shape.error(401, 'Invalid credentials', 'invalid_api_key');
  const file = body.file;
  const seconds = endpoint.options.durationSec ?? (file ? audioDurationSec(file.head, file.bytes) : 0);
  const inference: InferenceCall = {
    path: url.pathname,
    query: url.searchParams,
    body,
    model: mode.name === 'wrong-model' ? (endpoint.options.wrongModel ?? 'another/model') : endpoint.model,
    mode: mode.name,
    speech: distortSpeech(cannedSpeech(file?.sha256 ?? '0'.repeat(64), seconds), mode.name),
    chatAnswers: endpoint.chatAnswers,
  };
  return endpoint.shape.refusal(inference) ?? spoiled(endpoint.shape.answer(inference), mode.name);
}

function hasKey({ endpoint, request }: CallInHand): boolean {
  const key = endpoint.options.apiKey;
  const given = [request.headers.authorization?.replace(/^(Bearer|Token) /, ''), request.headers['x-goog-api-key']];
  return key === undefined || given.includes(key);
}

function note({ endpoint, record, url }: CallInHand, body: RequestBody): void {
  record.fields = { ...body.fields };
  record.bytes = body.bytes;
  if (body.file) Object.assign(record, { fileSha256: body.file.sha256, fileName: body.file.name });
  if (body.json !== undefined) record.body = body.json;
  const model = endpoint.shape.modelAsked(body, url.pathname, url.searchParams);
  if (model !== undefined) record.modelAsked = model;
  const known = endpoint.shape.formFields;
  if (known) {
    record.warnings.push(
      ...Object.keys(body.fields)
        .filter((field) => !known.includes(field))
        .map((field) => `unknown form field '${field}'`),
    );
  }
}

/** The last four, as MOSS keeps them. */
function remember(endpoint: EndpointServer, key: string): void {
  endpoint.answered.push(key);
  if (endpoint.answered.length > 4) endpoint.answered.shift();
}

async function reply(call: CallInHand, answer: Reply, mode: Mode): Promise<void> {
  if (call.response.destroyed) return;
  call.record.status = answer.status;
  if (mode.name === 'short' || mode.name === 'sse-reset') call.record.closedBy = 'server';
  await sendReply(call.response, answer, mode);
}

function cut(call: CallInHand): void {
  call.record.closedBy = 'server';
  resetConnection(call.response);
}

/** Does not keep a process alive that has nothing else to do. */
function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
