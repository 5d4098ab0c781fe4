import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { createLogAlerts, createSentryAlerts, type AlertLog } from '../../../activities/endpoint/sentry-alerts.js';
import type { BreakerAlert } from '../../../src/breaker/state.js';

interface SentryEvent {
  readonly level: string;
  readonly message: string;
  readonly tags: Record<string, string>;
  readonly fingerprint: string[];
  readonly environment: string;
}

/** Sentry's own ingest path on loopback: keeps the events of every envelope. */
class FakeSentry {
  readonly events: SentryEvent[] = [];
  readonly bodies: string[] = [];
  private readonly server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const raw = Buffer.concat(parts);
      const body = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw).toString('utf8');
      this.bodies.push(body);
      const lines = body.split('\n').filter(Boolean);
      lines.forEach((line, index) => {
        if (line.includes('"type":"event"')) this.events.push(JSON.parse(lines[index + 1] ?? '') as SentryEvent);
      });
      response.end('{}');
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://key@127.0.0.1:${(this.server.address() as AddressInfo).port}/1`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const silent: AlertLog = { alert: () => undefined, failed: () => undefined };

function alertOf(kind: BreakerAlert['kind'], change: Partial<BreakerAlert> = {}): BreakerAlert {
  return { kind, reason: 'EndpointUnavailable HTTP 503', sinceMs: Date.UTC(2026, 0, 2), ...change };
}

describe('createSentryAlerts', () => {
  const sentry = new FakeSentry();
  let dsn = '';

  beforeAll(async () => {
    dsn = await sentry.start();
  });
  afterAll(() => sentry.stop());

  it('sends a trip as a warning, an open fuse and a blocked endpoint as errors, a recovery as news', async () => {
    const raise = createSentryAlerts({ dsn, environment: 'test' }, silent);
    for (const kind of ['trip', 'fuseOpen', 'blocked', 'recovered'] as const)
      await raise('dgx-speaches', alertOf(kind));
    expect(sentry.events.map(({ level }) => level)).toEqual(['warning', 'error', 'error', 'info']);
  });

  it('tags endpoint, kind and batch, and gives what belongs together one fingerprint', async () => {
    sentry.events.length = 0;
    const raise = createSentryAlerts({ dsn, environment: 'test', tags: { site: 'attic' } }, silent);
    await raise('dgx-speaches', alertOf('fuseOpen', { batchWorkflowId: 'reprocess-batch/spring' }));
    expect(sentry.events).toEqual([
      expect.objectContaining({
        environment: 'test',
        tags: { site: 'attic', endpoint: 'dgx-speaches', kind: 'fuseOpen', batch: 'reprocess-batch/spring' },
        fingerprint: ['holdfast', 'fuseOpen', 'dgx-speaches'],
      }),
    ]);
  });

  it('sends nothing of the process beside the alert: no environment variables, no breadcrumbs, no request', async () => {
    sentry.bodies.length = 0;
    await createSentryAlerts({ dsn }, silent)('dgx-moss', alertOf('trip'));
    const body = sentry.bodies.join('\n');
    expect(body).toContain('dgx-moss');
    for (const name of ['breadcrumbs', '"request"', process.env['HOME'] ?? '/root']) expect(body).not.toContain(name);
  });

  it('never rejects when Sentry is dead, and the log has the alert all the same', async () => {
    const logged: string[] = [];
    const log = { ...silent, alert: ({ text }: { text: string }) => logged.push(text) };
    await createSentryAlerts({ dsn: 'http://key@127.0.0.1:1/1' }, log)('dgx-speaches', alertOf('trip'));
    expect(logged).toHaveLength(1);
  });
});

describe('createLogAlerts', () => {
  it('puts every alert into the log where no Sentry is configured', async () => {
    const texts: string[] = [];
    await createLogAlerts({ ...silent, alert: ({ text }) => texts.push(text) })('dgx-vllm', alertOf('trip'));
    expect(texts).toEqual([expect.stringContaining('Circuit tripped: dgx-vllm')]);
  });
});
