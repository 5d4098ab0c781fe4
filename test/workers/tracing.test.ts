import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { batchWorkflowId, endpointWorkflowId, episodeWorkflowId } from '../../src/messages.js';
import { DrillSite } from '../drills/drill-site.js';
import { freePorts } from '../support/free-ports.js';
import { holdfast, type Ran } from '../support/holdfast.js';
import { workflowBundleFile } from '../support/prepared.js';
import { startSpanReceiver, type ReceivedSpan } from '../support/span-receiver.js';

const secret = 'sk-a-key-that-must-not-leave';

describe('tracing', () => {
  let drill: DrillSite;
  let collectorPort = 0;

  beforeAll(async () => {
    const logging = { filter: 'ERROR', forward: {} } as const;
    Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging } });
    [collectorPort = 0] = await freePorts(1);
    process.env['HOLDFAST_TEST_KEY'] = secret;
    drill = await DrillSite.start({
      episodes: 1,
      endpoints: { 'dgx-ollama': { apiKeyEnv: 'HOLDFAST_TEST_KEY' } },
      config: { tracing: { endpoint: `http://127.0.0.1:${collectorPort}` } },
    });
  });
  afterAll(async () => {
    delete process.env['HOLDFAST_TEST_KEY'];
    await drill.stop();
  });

  function reprocess(batchId: string): Promise<Ran> {
    const source = ['--audio', path.join(drill.dataDir, 'audio', 'tone-00.wav'), '--corpus-dir', drill.corpusDir];
    const how = ['--profile', 'experiment_dgx_only', '--batch-id', batchId, '--json'];
    return holdfast(['reprocess', ...source, ...how], { cwd: drill.dataDir, env: { TEMPORAL_ADDRESS: drill.address } });
  }

  it('changes nothing while its collector is away', async () => {
    const { exitCode, stdout, stderr } = await reprocess('untold');

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ state: 'completed', done: 1, failed: 0 });
  });

  it('goes in one trace from the command line to the services, without content', async () => {
    const collector = await startSpanReceiver(collectorPort);
    await reprocess('told');
    await drill.worker.stop();
    await collector.close();

    const started = collector.spans.find((span) => isOf(span, 'StartWorkflow:reprocessBatch', 'reprocess-batch/told'));
    const call = collector.spans.findLast((span) => attribute(span, 'url.path') === '/v1/audio/transcriptions');
    expect(lineage(call, collector.spans)).toEqual([
      'StartWorkflow:reprocessBatch',
      'RunWorkflow:reprocessBatch',
      'RunWorkflow:processEpisode',
      'RunActivity:transcribe',
      'POST',
    ]);
    expect(call?.traceId).toBe(started?.traceId);
    const [work] = drill
      .endpoint('dgx-speaches')
      .calls.filter(({ kind }) => kind === 'work')
      .slice(-1);
    expect(work?.headers['traceparent']).toBe(`00-${call?.traceId}-${call?.spanId}-01`);
    expect(collector.text).not.toContain(secret);
    const told = await contents();
    expect(told.length).toBeGreaterThan(10);
    expect(told.filter((words) => collector.text.includes(words))).toEqual([]);
  });

  it('may be switched off under running batches: its histories are replayed without it', async () => {
    const ids = [batchWorkflowId('told'), episodeWorkflowId('told', 'tone-00'), endpointWorkflowId('dgx-ollama')];
    for (const workflowId of ids) {
      const history = await drill.client.workflow.getHandle(workflowId).fetchHistory();
      expect(JSON.stringify(history)).toContain('_tracer-data');
      const options = { workflowBundle: { codePath: workflowBundleFile } };
      await expect(Worker.runReplayHistory(options, history, workflowId)).resolves.toBeUndefined();
    }
  });

  /** What was heard, asked and answered: none of it may be told. */
  async function contents(): Promise<string[]> {
    const folder = path.join(drill.corpusDir, 'audio-files', 'tone-00');
    const transcript = JSON.parse(await readFile(path.join(folder, 'transcript.json'), 'utf8')) as {
      segments: { body: string }[];
    };
    const { calls } = drill.endpoint('dgx-ollama');
    const asked = calls.flatMap(
      ({ body }) => (body as { messages?: { content: string }[] } | undefined)?.messages ?? [],
    );
    const texts = [...transcript.segments.map(({ body }) => body), ...asked.map(({ content }) => content)];
    return texts.map((text) => text.slice(0, 40)).filter((text) => text.length > 10);
  }
});

function attribute({ attributes }: ReceivedSpan, key: string): string | undefined {
  return attributes.find((one) => one.key === key)?.value.stringValue;
}

function isOf(span: ReceivedSpan, name: string, workflowId: string): boolean {
  return span.name === name && attribute(span, 'temporalWorkflowId') === workflowId;
}

/** Names of the spans above this one and its own, outermost first. */
function lineage(span: ReceivedSpan | undefined, spans: readonly ReceivedSpan[]): string[] {
  if (span === undefined) return [];
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [...lineage(parent, spans), span.name];
}
