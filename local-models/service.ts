import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { diarize, type SpeakerModel } from './diarizations.js';
import { HttpProblem, sendInternalServerError, sendJson } from './http-problem.js';
import { ModelNotLoadedError } from './model-process.js';
import { ClientGoneError, withUpload } from './route.js';
import { transcribe, type SpeechModel } from './transcriptions.js';

export interface ServedModels {
  readonly speech: SpeechModel;
  readonly speakers: SpeakerModel;
}

type Route = (http: { request: IncomingMessage; response: ServerResponse }) => Promise<unknown>;

/**
 * The HTTP face of the local models: the wire shapes of speaches (`/v1/audio/transcriptions`) and of the pyannote
 * service (`/v1/diarize`), `/health` and `/v1/models` common to both, errors as FastAPI tells them.
 * @param onFault told of what went wrong inside, of which the client learns only a status
 */
export function createService(
  models: ServedModels,
  ffmpegPath: string,
  onFault: (error: unknown) => void,
): http.Server {
  const routes: Readonly<Record<string, Route>> = {
    'GET /health': () => Promise.resolve({ message: 'OK', status: 'ok' }),
    'GET /v1/models': () => Promise.resolve(listModels(models)),
    'POST /v1/audio/transcriptions': (exchange) =>
      withUpload(exchange, ffmpegPath, (upload) => transcribe(upload, models.speech)),
    'POST /v1/diarize': (exchange) => withUpload(exchange, ffmpegPath, (upload) => diarize(upload, models.speakers)),
  };
  const server = http.createServer((request, response) => {
    void answer({ request, response }, routes, onFault);
  });
  // Deadlines are the caller's: a long upload, or an hour's inference, is no fault.
  server.requestTimeout = 0;
  // A kept connection may be closed just as the next call is sent on it; on loopback a new one costs nothing.
  server.maxRequestsPerSocket = 1;
  return server;
}

async function answer(
  exchange: { request: IncomingMessage; response: ServerResponse },
  routes: Readonly<Record<string, Route>>,
  onFault: (error: unknown) => void,
): Promise<void> {
  const { request, response } = exchange;
  try {
    sendJson(response, 200, await findRoute(request, routes)(exchange));
  } catch (error) {
    if (error instanceof ClientGoneError) return;
    if (error instanceof HttpProblem) {
      sendJson(response, error.status, { detail: error.detail });
      return;
    }
    onFault(error);
    if (error instanceof ModelNotLoadedError) sendJson(response, 503, { detail: 'model not yet loaded' });
    else sendInternalServerError(response);
  }
}

function findRoute(request: IncomingMessage, routes: Readonly<Record<string, Route>>): Route {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const route = routes[`${request.method ?? ''} ${pathname}`];
  if (route) return route;
  const isKnownPath = Object.keys(routes).some((name) => name.endsWith(` ${pathname}`));
  throw isKnownPath ? new HttpProblem(405, 'Method Not Allowed') : new HttpProblem(404, 'Not Found');
}

function listModels({ speech, speakers }: ServedModels): object {
  const entry = (id: string, task: string): object => ({ id, object: 'model', created: 0, owned_by: 'holdfast', task });
  const data = [entry(speech.modelId, 'automatic-speech-recognition'), entry(speakers.modelId, 'speaker-diarization')];
  return { object: 'list', data };
}
