import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A real HTTP server on loopback for each test; `routes` by path, everything else is 404. Call in a `describe`. */
export function useLoopbackServer(): {
  readonly routes: Map<string, Handler>;
  url: (path: string) => string;
  requests: readonly string[];
} {
  const routes = new Map<string, Handler>();
  const requests: string[] = [];
  let server: Server;

  beforeEach(async () => {
    routes.clear();
    requests.length = 0;
    server = createServer((request, response) => {
      const [path = ''] = (request.url ?? '').split('?');
      requests.push(request.url ?? '');
      const handler = routes.get(path);
      if (handler === undefined) response.writeHead(404).end('no such page');
      else handler(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const url = (path: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  return { routes, url, requests };
}

/** Answers 200 with `body`. */
export function serve(body: string | Uint8Array, contentType = 'application/octet-stream'): Handler {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': contentType }).end(body);
  };
}

/** Answers with a redirect to `location`. */
export function redirectTo(location: string): Handler {
  return (_request, response) => {
    response.writeHead(302, { location }).end();
  };
}
