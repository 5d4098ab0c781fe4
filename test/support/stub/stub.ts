import type { CallRecord, Counters } from './call-log.js';
import { EndpointServer, type EndpointOptions } from './endpoint-server.js';

export interface StubOptions {
  readonly endpoints: Readonly<Record<string, EndpointOptions>>;
}

/** A set of running scripted services. */
export interface Stub {
  endpoint(name: string): EndpointServer;
  readonly endpoints: ReadonlyMap<string, EndpointServer>;
  /** All calls of all endpoints, by arrival. */
  readonly calls: readonly CallRecord[];
  readonly counters: Readonly<Record<string, Counters>>;
  reset(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts one real HTTP server per endpoint, on loopback.
 *
 * ```ts
 * const stub = await startStub({ endpoints: { asr: { shape: 'speaches', model: 'm' } } });
 * stub.endpoint('asr').script({ steps: [{ mode: 'status:503', times: 4 }] });
 * ```
 */
export async function startStub(options: StubOptions): Promise<Stub> {
  const endpoints = new Map(
    Object.entries(options.endpoints).map(([name, settings]) => [name, new EndpointServer(name, settings)]),
  );
  await Promise.all([...endpoints.values()].map((endpoint) => endpoint.start()));
  const all = (): EndpointServer[] => [...endpoints.values()];
  return {
    endpoints,
    endpoint(name) {
      const found = endpoints.get(name);
      if (!found) throw new Error(`No stub endpoint '${name}'; there are: ${[...endpoints.keys()].join(', ')}`);
      return found;
    },
    get calls() {
      return all()
        .flatMap((endpoint) => endpoint.calls)
        .sort((a, b) => a.startedAtMs - b.startedAtMs || a.seq - b.seq);
    },
    get counters() {
      return Object.fromEntries(all().map((endpoint) => [endpoint.name, endpoint.counters]));
    },
    async reset() {
      await Promise.all(all().map((endpoint) => endpoint.reset()));
    },
    async close() {
      await Promise.all(all().map((endpoint) => endpoint.close()));
    },
  };
}
