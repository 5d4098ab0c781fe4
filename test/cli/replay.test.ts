import path from 'node:path';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { until, type DrillSite } from '../drills/drill-site.js';
import { useDrillSite } from '../drills/use-drill-site.js';
import { holdfast, type Ran } from '../support/holdfast.js';

describe('holdfast replay', () => {
  const start = useDrillSite();

  beforeAll(() => {
    Runtime.install({ logger: new DefaultLogger('ERROR') });
  });

  async function heldBatch(): Promise<DrillSite> {
    const drill = await start({ episodes: 3 });
    await drill.endpoint('dgx-speaches').down('status:503');
    await drill.startBatch('open');
    await until('the batch to hold', async () => (await drill.batchStatus('open')).state === 'holding');
    return drill;
  }

  /** Begun by a worker of another release, which is gone now. */
  async function beginElsewhere({ address, client }: DrillSite, workflowId: string): Promise<void> {
    const connection = await NativeConnection.connect({ address });
    const workflowsPath = path.join(__dirname, 'other-release', 'workflows.ts');
    const worker = await Worker.create({ connection, taskQueue: 'elsewhere', workflowsPath });
    await worker.runUntil(async () => {
      const handle = await client.workflow.start('processEpisode', { taskQueue: 'elsewhere', workflowId });
      await until('its first command', async () => {
        const { events } = await handle.fetchHistory();
        // Started, three of its workflow task, and the timer.
        return events?.length === 5;
      });
    });
    await connection.close();
  }

  function replay({ dataDir, address }: DrillSite, ...options: string[]): Promise<Ran> {
    return holdfast(['replay', ...options], { cwd: dataDir, env: { TEMPORAL_ADDRESS: address } });
  }

  it('finds that its own open batch, episodes and endpoint can go on, and names what another release began', async () => {
    const drill = await heldBatch();
    const own = await replay(drill);
    expect(own).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/ 0 of which/) as string });

    await beginElsewhere(drill, 'episode/elsewhere/1');
    const { exitCode, stdout } = await replay(drill, '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ misfits: [{ workflowId: 'episode/elsewhere/1' }] });
  });
});
