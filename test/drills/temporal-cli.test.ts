import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { BatchStatus } from '../../src/batch-status.js';
import { batchWorkflowId } from '../../src/messages.js';
import { prepared } from '../support/prepared.js';
import { until, type DrillSite } from './drill-site.js';
import { useDrillSite } from './use-drill-site.js';

const { cli } = prepared();
const workflow = ['--workflow-id', batchWorkflowId('cli')];

/** What an operator without our program has: the `temporal` command. */
class Operator {
  constructor(private readonly site: DrillSite) {}

  async start(input: object): Promise<void> {
    const file = path.join(this.site.dataDir, 'batch.json');
    await writeFile(file, JSON.stringify(input));
    const type = ['--type', 'reprocessBatch', '--task-queue', 'holdfast'];
    await this.temporal(['start', ...type, ...workflow, '--input-file', file]);
  }

  async signal(name: string): Promise<void> {
    await this.temporal(['signal', ...workflow, '--name', name]);
  }

  /** Asks `status` until the batch is in this state. */
  untilState(state: BatchStatus['state']): Promise<BatchStatus> {
    return until(`the batch to be ${state}`, async () => {
      const status = await this.status();
      return status.state === state && status;
    });
  }

  async describe(): Promise<{ readonly workflowExecutionInfo: { readonly status: string } }> {
    return JSON.parse(await this.temporal(['describe', ...workflow, '--output', 'json'])) as never;
  }

  private async status(): Promise<BatchStatus> {
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
    const speaches = drill.endpoint('dgx-speaches');
    const operator = new Operator(drill);
    const overrides = { resilience_on_open_max_wait_sec: 6 };
    await operator.start(drill.batchInput({ overrides }));
    await until('work', () => speaches.counters.workCalls > 0);

    await speaches.down('status:503');
    expect((await operator.untilState('holding')).why).toContain('dgx-speaches');
    await speaches.up();
    await operator.untilState('running');

    await speaches.down('status:503');
    const halted = await operator.untilState('halted');
    expect(halted.halts).toMatchObject([{ endpointId: 'dgx-speaches', failureType: 'ResilienceFuseOpen' }]);
    await speaches.up();
    await operator.signal('resume');
    await operator.untilState('running');

    speaches.script({ rules: [{ when: { kind: 'work' }, mode: 'slow:120s' }] });
    const called = await until('a call in flight', () => speaches.calls.find(({ mode }) => mode === 'slow'));
    await operator.signal('abort');
    const { report } = await drill.outcome('cli');

    expect(report).toMatchObject({ state: 'aborted', requested: 20, failed: 0 });
    expect(report.done + report.remaining).toBe(20);
    expect(called.closedBy).toBe('client');
    expect((await operator.describe()).workflowExecutionInfo.status).toBe('WORKFLOW_EXECUTION_STATUS_FAILED');
  });
});
