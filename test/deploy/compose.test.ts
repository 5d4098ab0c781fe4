import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { loadConfigFile } from '../../activities/plan/load-config.js';
import { endpointDefaults } from '../../src/model-registry-endpoints.js';
import { repositoryRoot } from '../support/prepared.js';
import { dockerfileStages } from './image.js';

/** What the rules look at; that the file is a Compose file at all is checked by `docker compose config`. */
interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly restart?: string;
  readonly stop_grace_period?: string;
}

const read = (file: string): Promise<string> => readFile(path.join(repositoryRoot, file), 'utf8');

async function services(): Promise<ReadonlyMap<string, Service>> {
  const compose = parse(await read('docker-compose.yml'), { merge: true }) as { services: Record<string, Service> };
  return new Map(Object.entries(compose.services));
}

async function worker(): Promise<Service> {
  const found = (await services()).get('worker');
  if (found === undefined) throw new Error('docker-compose.yml has no worker');
  return found;
}

describe('docker-compose.yml', () => {
  it('publishes ports on loopback only', async () => {
    const ports = [...(await services()).values()].flatMap((service) => service.ports ?? []);

    expect(ports.length).toBeGreaterThan(0);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('pins each image to a version', async () => {
    const images = [...(await services()).values()].map(({ image }) => image);

    expect(images.filter((image) => !/:\d+\.\d+/.test(image))).toEqual([]);
  });

  it('holds no secret: each comes from the environment', async () => {
    const variables = [...(await services()).values()].flatMap((service) => Object.entries(service.environment ?? {}));
    const secret = variables.filter(([name]) => /PASSWORD|PWD|KEY|DSN|TOKEN|SECRET/.test(name));

    expect(secret.length).toBeGreaterThan(3);
    expect(secret.filter(([, value]) => value !== null && !value.startsWith('${POSTGRES_PASSWORD:?'))).toEqual([]);
  });

  it('hands on the key of every endpoint in the registry, and .env.example names it', async () => {
    const handedOn = Object.keys((await worker()).environment ?? {});
    const example = await read('.env.example');
    const keys = Object.values(endpointDefaults).flatMap(({ apiKeyEnv }) => apiKeyEnv ?? []);

    expect(handedOn).toEqual(expect.arrayContaining(keys));
    expect(keys.filter((key) => !example.includes(`${key}=`))).toEqual([]);
  });

  it('starts what runs on again after a crash, and what runs once only when it failed', async () => {
    const restarts = [...(await services())].map(([name, { restart }]) => [name, restart]);

    expect(Object.fromEntries(restarts)).toEqual({
      postgresql: 'unless-stopped',
      schema: 'on-failure:5',
      temporal: 'unless-stopped',
      namespace: 'on-failure:5',
      'search-attributes': 'on-failure:5',
      ui: 'unless-stopped',
      worker: 'unless-stopped',
    });
  });

  it('gives a worker longer to stop than the worker gives its calls', async () => {
    const { config, faults } = await loadConfigFile(path.join(repositoryRoot, 'deploy', 'holdfast.config.yaml'));
    const minutes = /^(\d+)m$/.exec((await worker()).stop_grace_period ?? '')?.[1];

    expect(faults).toEqual([]);
    expect(60 * Number(minutes)).toBeGreaterThan((config.worker?.shutdownGraceSec ?? NaN) + 15);
  });

  it("asks for a worker's health where its configuration serves metrics", async () => {
    const { config } = await loadConfigFile(path.join(repositoryRoot, 'deploy', 'holdfast.config.yaml'));
    const port = config.worker?.metricsAddress?.split(':').at(-1) ?? 'none';
    const { ports, healthcheck } = await worker();

    expect(ports).toEqual([`127.0.0.1:${port}:${port}`]);
    expect(healthcheck?.test.join(' ')).toContain(`127.0.0.1:${port}/metrics`);
  });
});

describe('Dockerfile', () => {
  it('copies only what .dockerignore lets through', async () => {
    const ignored = (await read('.dockerignore')).split('\n');
    const copied = (await dockerfileStages())
      .flat()
      .filter(({ name, value }) => name === 'COPY' && !value.startsWith('--from'))
      .flatMap(({ value }) => value.split(' ').slice(0, -1));

    const places = copied.map((source) => `!${source.split('/')[0] ?? ''}`);
    expect(places.filter((place) => !ignored.includes(place))).toEqual([]);
    expect(ignored).toContain('*');
  });

  it('builds every folder of tsconfig.build.json', async () => {
    const { include } = JSON.parse(await read('tsconfig.build.json')) as { readonly include: readonly string[] };
    const [, build = []] = await dockerfileStages();

    const copied = build.filter(({ name }) => name === 'COPY').map(({ value }) => value.split(' ')[0]);
    expect(copied).toEqual(expect.arrayContaining([...include]));
  });

  it('ends as a user without rights, with the worker as its command', async () => {
    const last = (await dockerfileStages()).at(-1) ?? [];

    expect(last.filter(({ name }) => ['USER', 'ENTRYPOINT', 'CMD'].includes(name))).toEqual([
      { name: 'USER', value: 'node' },
      { name: 'ENTRYPOINT', value: '["tini", "--", "holdfast"]' },
      { name: 'CMD', value: '["worker"]' },
    ]);
  });
});
