import type { ServerResponse } from 'node:http';
import { parseMs, type Mode } from './mode.js';
import type { Reply } from './shapes/shape.js';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

/** Cuts a connection with an RST. */
export function resetConnection(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

/** Sends a reply the way the mode says: whole, in drops, without an end, short of its length, or as a broken stream. */
export async function sendReply(response: ServerResponse, reply: Reply, mode: Mode): Promise<void> {
  const bytes = Buffer.from(reply.body, 'utf8');
  const head = (length: number): void => {
    response.writeHead(reply.status, {
      'content-type': reply.contentType,
      'content-length': length,
      ...reply.headers,
    });
  };
  switch (mode.name) {
    case 'hangbody':
      head(bytes.length);
      response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)));
      return;
    case 'short':
      head(bytes.length + 1000);
      response.write(bytes);
      await pause(20);
      response.socket?.destroy();
      return;
    case 'drip':
      head(bytes.length);
      await drip(response, bytes, parseMs(mode.argument, 50));
      return;
    case 'sse-stall':
    case 'sse-error':
    case 'sse-reset':
      await brokenStream(response, mode.name);
      return;
    default:
      head(bytes.length);
      response.end(bytes);
  }
}

async function drip(response: ServerResponse, bytes: Buffer, everyMs: number): Promise<void> {
  for (let at = 0; at < bytes.length && !response.destroyed; at++) {
    response.write(bytes.subarray(at, at + 1));
    await pause(everyMs);
  }
  response.end();
}

async function brokenStream(response: ServerResponse, how: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
  for (const content of ['The ', 'quick ']) response.write(event({ choices: [{ index: 0, delta: { content } }] }));
  await pause(20);
  if (how === 'sse-error') response.end(event({ error: { message: 'EngineCore encountered an issue', code: 500 } }));
  if (how === 'sse-reset') resetConnection(response);
}
