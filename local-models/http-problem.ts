import type { ServerResponse } from 'node:http';

/** One fault of a request, as FastAPI tells it. */
export interface FieldFault {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** An answer that is an error: `{"detail": ...}` with a status, as speaches and the pyannote service give it. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  constructor(
    readonly status: number,
    readonly detail: string | readonly FieldFault[],
  ) {
    super(`${status}: ${typeof detail === 'string' ? detail : detail.map(({ msg }) => msg).join(', ')}`);
  }
}

export function fieldMissing(field: string): FieldFault {
  return { type: 'missing', loc: ['body', field], msg: 'Field required', input: null };
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** What FastAPI answers when its own code fails: no JSON, and no word of what happened. */
export function sendInternalServerError(response: ServerResponse): void {
  response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' });
  response.end('Internal Server Error');
}
