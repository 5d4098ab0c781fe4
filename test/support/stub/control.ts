import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Script } from './script.js';
import type { Stub } from './stub.js';

interface ControlBody extends Script {
  readonly endpoint?: string;
  /** For `down`: `refuse` (default), `reset`, `status:503`, ... */
  readonly mode?: string;
  /** For `down`: come back after this, by way of `loadingMs` of 503 "loading". Absent: stay down until `up`. */
  readonly forMs?: number;
  readonly loadingMs?: number;
}

type Answer = Promise<unknown>;

const commands: Readonly<Record<string, (stub: Stub, body: ControlBody, query: URLSearchParams) => Answer>> = {
  'POST /__stub/script': async (stub, { endpoint, ...script }) => {
    stub.endpoint(endpoint ?? '').script(script);
    return Promise.resolve({ ok: true });
  },
  'POST /__stub/down': async (stub, { endpoint, mode = 'refuse', forMs, loadingMs = 0 }) => {
    const server = stub.endpoint(endpoint ?? '');
    await (forMs === undefined ? server.down(mode) : server.downFor(forMs, { mode, loadingMs }));
    return { ok: true };
  },
  'POST /__stub/up': async (stub, { endpoint }) => {
    await stub.endpoint(endpoint ?? '').up();
    return { ok: true };
  },
  'POST /__stub/reset': async (stub) => {
    await stub.reset();
    return { ok: true };
  },
  'GET /__stub/log': (stub, _body, query) => {
    const name = query.get('endpoint');
    return Promise.resolve({ calls: name === null ? stub.calls : stub.endpoint(name).calls, counters: stub.counters });
  },
  'GET /__stub/endpoints': (stub) =>
    Promise.resolve(
      Object.fromEntries(
        [...stub.endpoints].map(([name, { url, options, isDown }]) => [
          name,
          { url, shape: options.shape, model: options.model, isDown },
        ]),
      ),
    ),
};

/** The control API of a running stub, on a port of its own. Resolves with its address. */
export async function startControl(stub: Stub, port = 0): Promise<{ url: string; close(): Promise<void> }> {
  const server: Server = createServer((request, response) => {
    handle(stub, request)
      .catch((error: unknown) => ({ status: 400, body: { error: error instanceof Error ? error.message : 'failed' } }))
      .then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function handle(stub: Stub, request: IncomingMessage): Promise<{ status: number; body: unknown }> {
  const url = new URL(request.url ?? '/', 'http://stub');
  const command = commands[`${request.method ?? 'GET'} ${url.pathname}`];
  if (!command) return { status: 404, body: { error: `commands: ${Object.keys(commands).join(', ')}` } };
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    status: 200,
    body: await command(stub, text === '' ? {} : (JSON.parse(text) as ControlBody), url.searchParams),
  };
}
