import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedServer, type EmbeddedServer } from '../../cli/embedded-server.js';
import { resolveTemporalCli } from '../../setup/temporal.js';
import { searchAttributes } from '../../src/messages.js';
import { startDrillWorker } from '../drills/drill-worker.js';
import { until } from '../drills/drill-site.js';
import { useDrillSite } from '../drills/use-drill-site.js';
import { freePorts } from '../support/free-ports.js';
import { holdfast, type Ran } from '../support/holdfast.js';

/** A server as Temporal ships it: the steps build on each other. */
describe('holdfast on a server of your own', () => {
  let dataDir: string;
  let server: EmbeddedServer;

  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'holdfast-own-server-'));
    const [port = 0, uiPort = 0] = await freePorts(2);
    server = await startEmbeddedServer(await resolveTemporalCli(), { dataDir, port, uiPort });
  });
  afterAll(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const cli = (...args: string[]): Promise<Ran> =>
    holdfast(args, { cwd: dataDir, env: { TEMPORAL_ADDRESS: server.address } });

  it('stops a worker that finds no search attributes, and names each of them and the remedy', async () => {
    const { exitCode, stderr } = await cli('worker');

    expect(exitCode).toBe(1);
    for (const name of Object.keys(searchAttributes)) expect(stderr).toContain(name);
    expect(stderr).toContain('holdfast setup');
  });

  it('registers them once', async () => {
    const first = await cli('setup', '--search-attributes');
    const second = await cli('setup', '--search-attributes');

    expect(first.stdout).toContain(Object.keys(searchAttributes).join(', '));
    expect(second).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('all registered') as string });
  });

  it('then runs the worker', async () => {
    const configFile = path.join(dataDir, 'holdfast.config.yaml');
    await writeFile(configFile, 'worker: { shutdownGraceSec: 1 }\n');
    const worker = await startDrillWorker({ address: server.address, configFile, dataDir });

    expect(await worker.stop()).toBe(0);
  });
});

describe('holdfast status', () => {
  const start = useDrillSite();

  it('says in one sentence why a batch of 1,000 waits', async () => {
    const drill = await start({ episodes: 1000 });
    await drill.endpoint('dgx-speaches').down('status:503');
    await drill.startBatch('many');
    await until('the batch to hold', async () => (await drill.batchStatus('many')).state === 'holding');

    const { exitCode, stdout } = await holdfast(['status', 'many'], {
      cwd: drill.dataDir,
      env: { TEMPORAL_ADDRESS: drill.address },
    });
    const [sentence] = stdout.split('\n');

    expect(exitCode).toBe(0);
    expect(sentence).toMatch(
      /^Batch many: holding\. Holding for endpoint dgx-speaches, open since \S+ \(.+\); halts at \S+ unless it recovers/,
    );
    expect(stdout).toContain('0 done, 0 failed, 0 skipped, 1000 remaining of 1000');
  });
});
