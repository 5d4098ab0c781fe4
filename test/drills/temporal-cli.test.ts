import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { BatchInput } from '../../src/batch.js';
import type { BatchStatus } from '../../src/batch-status.js';
import { batchWorkflowId } from '../../src/messages.js';
import { prepared } from '../support/prepared.js';
import { liveThrough, type Operator } from './batch-life.js';
import { until, type DrillSite } from './drill-site.js';
import { useDrillSite } from './use-drill-site.js';

const { cli } = prepared();
const workflow = ['--workflow-id', batchWorkflowId('cli')];

/** What an operator without our program has: the `temporal` command. */
class TemporalOperator implements Operator {
  readonly batchId = 'cli';

  constructor(private readonly site: DrillSite) {}

  async start(input: BatchInput): Promise<void> {
    const file = path.join(this.site.dataDir, 'batch.json');
    await writeFile(file, JSON.stringify(input));
    const type = ['--type', 'reprocessBatch', '--task-queue', 'holdfast'];
    await this.temporal(['start', ...type, ...workflow, '--input-file', file]);
  }

  async resume(): Promise<void> {
    await this.signal('resume');
  }

  async abort(): Promise<void> {
    await this.signal('abort');
  }

  async signal(name: string, input?: string): Promise<void> {
    await this.temporal(['signal', ...workflow, '--name', name, ...(input === undefined ? [] : ['--input', input])]);
  }

  /** What the command said. @throws what it said, where it failed */
  async update(name: string, input: string): Promise<string> {
    return this.temporal(['update', 'execute', ...workflow, '--name', name, '--input', input]);
  }

  async describe(): Promise<{ readonly workflowExecutionInfo: { readonly status: string } }> {
    return JSON.parse(await this.temporal(['describe', ...workflow, '--output', 'json'])) as never;
  }

  async status(): Promise<BatchStatus> {
    const answer = await this.temporal(['query', ...workflow, '--type', 'status', '--output', 'json']);
    const { queryResult } = JSON.parse(answer) as { readonly queryResult: readonly BatchStatus[] };
    const [status] = queryResult;
    if (status === undefined) throw new Error(`the query answered ${answer}`);
    return status;
  }

  private async temporal(args: readonly string[]): Promise<string> {
    if (cli.type !== 'existing-path') throw new Error('the SDK keeps its own download of the CLI to itself');
    const command = ['workflow', ...args, '--address', this.site.address];
    return (await promisify(execFile)(cli.path, command)).stdout;
  }
}

/** Where no program of ours was to be had, there is none to run here. */
const hasCli = cli.type === 'existing-path';
const title = `reprocessBatch by the temporal command alone${hasCli ? '' : ' (skipped: no program of ours)'}`;

(hasCli ? describe : describe.skip)(title, () => {
  const start = useDrillSite();

  it('is held, recovers, halts, is resumed and is aborted', async () => {
    const drill = await start({ episodes: 20, services: { 'dgx-speaches': { serviceMs: 1500 } } });
    const operator = new TemporalOperator(drill);
    const life = await liveThrough(drill, operator, {
      whileHalted: async () => {
        const { halts } = await operator.status();
        expect(halts).toMatchObject([{ endpointId: 'dgx-speaches', failureType: 'ResilienceFuseOpen' }]);
      },
    });
    const { report } = await drill.outcome('cli');

    expect(life.held).toContain('dgx-speaches');
    expect(report).toMatchObject({ state: 'aborted', requested: 20, failed: 0 });
    expect(report.done + report.remaining).toBe(20);
    expect(life.cut.closedBy).toBe('client');
    expect((await operator.describe()).workflowExecutionInfo.status).toBe('WORKFLOW_EXECUTION_STATUS_FAILED');
  });

  it('refuses or notes what it does not understand, and goes on', async () => {
    const drill = await start({ episodes: 2, services: { 'dgx-speaches': { serviceMs: 1500 } } });
    const operator = new TemporalOperator(drill);
    await operator.start(drill.batchInput());
    await until('work', () => drill.endpoint('dgx-speaches').counters.workCalls > 0);

    await operator.signal('puase');
    await operator.signal('pause', '42');
    await expect(operator.update('pause', '42')).rejects.toThrow('pause');
    await expect(operator.update('setWindow', '0')).rejects.toThrow('setWindow');
    const { unknownMessages, state } = await operator.status();
    const { report } = await drill.outcome('cli');

    expect(unknownMessages).toEqual([expect.stringMatching(/^puase: /), expect.stringMatching(/^pause: /)]);
    expect(state).toBe('running');
    expect(report).toMatchObject({ state: 'completed', done: 2 });
    const log = await readFile(path.join(drill.dataDir, 'worker.log'), 'utf8');
    expect(log).toMatch(/"message refused".*"puase"/);
  });
});
