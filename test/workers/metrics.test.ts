import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { MetricMeter } from '@temporalio/common';
import { batchWorkflowId, endpointWorkflowId } from '../../src/messages.js';
import { metrics } from '../../src/metrics.js';
import type { LogLine } from '../../workers/log.js';
import { startSiteGauges } from '../../workers/site-gauges.js';
import { until, type DrillSite } from '../drills/drill-site.js';
import { useDrillSite } from '../drills/use-drill-site.js';
import { freePorts } from '../support/free-ports.js';
import { scrape, type Scrape } from '../support/scrape.js';

describe('a worker with a metrics address', () => {
  const start = useDrillSite();

  it('counts what the services saw, shows what is so now, and logs whose each line is', async () => {
    const [port = 0] = await freePorts(1);
    const metricsAddress = `127.0.0.1:${port}`;
    const drill = await start({ episodes: 2, config: { worker: { metricsAddress } } });
    await drill.endpoint('dgx-speaches').down('status:503');
    drill.endpoint('dgx-ollama').script({ steps: [{ mode: 'truncate+length' }] });
    await drill.startBatch('b');

    const held = await until('both episodes held, in a scrape', async () => {
      const found = await scrape(metricsAddress);
      return found.sum('holdfast_open_episodes', { state: 'holding' }) === 2 && found;
    });
    await drill.endpoint('dgx-speaches').up();
    await drill.signalBatch('b', 'pauze');
    await drill.outcome('b');
    const ended = await scrape(metricsAddress);

    expectHeld(held);
    await expectCounts(ended, drill);
    expect(ended.of('temporal_workflow_completed')).not.toEqual([]);
    await expectUntraced(drill);
    await expectLogOfWorkflows(drill);
    await expectZeroOnceGone(drill);
  });
});

function expectHeld(held: Scrape): void {
  const endpoint = 'dgx-speaches';
  expect(held.sum('holdfast_circuit_state', { endpoint, state: 'open' })).toBe(1);
  expect(held.sum('holdfast_circuit_state', { endpoint })).toBe(1);
  expect(held.sum('holdfast_permit_capacity', { endpoint })).toBe(1);
  expect(held.sum('holdfast_permits_in_use', { endpoint })).toBe(0);
  expect(held.sum('holdfast_permits_waiting', { endpoint })).toBe(2);
  expect(held.sum('holdfast_open_batches', { state: 'holding' })).toBe(1);
}

async function expectCounts(ended: Scrape, drill: DrillSite): Promise<void> {
  const endpoint = 'dgx-speaches';
  const { counters } = drill.endpoint(endpoint);
  const entity = await drill.endpointState(endpoint);
  expect(ended.sum('holdfast_calls_total', { endpoint })).toBe(counters.workCalls);
  expect(ended.sum('holdfast_calls_total', { endpoint, outcome: 'EndpointUnavailable' })).toBe(counters.callsWhileDown);
  expect(ended.sum('holdfast_call_duration_seconds_count', { endpoint })).toBe(counters.workCalls);
  expect(ended.sum('holdfast_probes_total', { endpoint })).toBe(counters.probeCalls);
  expect(ended.sum('holdfast_probes_total', { endpoint, outcome: 'failed' })).toBe(counters.probesWhileDown);
  expect(ended.sum('holdfast_permits_granted_total', { endpoint })).toBe(entity?.counters.grants);
  expect(ended.sum('holdfast_trips_total')).toBe(1);
  expect(ended.sum('holdfast_recoveries_total', { endpoint })).toBe(1);
  expect(ended.sum('holdfast_outage_seconds_total', { endpoint })).toBeGreaterThan(0);
  expect(ended.sum('holdfast_hold_seconds_total', { endpoint })).toBeGreaterThan(0);

  const llm = { endpoint: 'dgx-ollama' };
  expect(ended.sum('holdfast_calls_total', llm)).toBe(drill.endpoint('dgx-ollama').counters.workCalls);
  expect(ended.sum('holdfast_rerolls_total', { ...llm, service: 'summary' })).toBe(1);
  expect(ended.sum('holdfast_guardrail_violations_total', { ...llm, reason: 'finish_reason_length' })).toBe(1);
  expect(ended.sum('holdfast_guardrail_violations_total')).toBe(1);

  expect(ended.sum('holdfast_stages_ended_total', { outcome: 'executed' })).toBe(2 * 5);
  expect(ended.sum('holdfast_episodes_ended_total', { outcome: 'done' })).toBe(2);
  expect(ended.sum('holdfast_batches_ended_total', { outcome: 'completed' })).toBe(1);
}

/** Lines of activities and of workflows say whose they are. */
async function expectLogOfWorkflows({ dataDir }: DrillSite): Promise<void> {
  const text = await readFile(path.join(dataDir, 'worker.log'), 'utf8');
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LogLine);
  const said = (words: string): LogLine | undefined => lines.find(({ message }) => message.startsWith(words));
  const episode = {
    workflowId: expect.stringMatching(/^episode\/b\/tone-/) as unknown,
    workflowType: 'processEpisode',
  };
  expect(said('invalid answer')).toMatchObject({
    ...episode,
    activityType: 'summarize',
    reason: 'finish_reason_length',
  });
  expect(said('Activity failed')).toMatchObject({ ...episode, activityType: 'transcribe', attempt: 1 });
  const endpoint = { workflowId: 'endpoint-breaker/dgx-speaches', activityType: 'raiseAlert' };
  expect(said('Circuit tripped')).toMatchObject(endpoint);
  expect(said('message refused')).toMatchObject({ workflowId: 'reprocess-batch/b', name: 'pauze' });
}

/** Tracing is off by default. */
async function expectUntraced(drill: DrillSite): Promise<void> {
  const history = await drill.client.workflow.getHandle(batchWorkflowId('b')).fetchHistory();
  expect(JSON.stringify(history)).not.toContain('_tracer-data');
  expect(drill.stub.calls.filter(({ headers }) => 'traceparent' in headers)).toEqual([]);
}

/** The gauges alone, in this process: they are read often, and what they say is kept. */
async function expectZeroOnceGone({ client }: DrillSite): Promise<void> {
  const values = new Map<string, number>();
  const set = (name: string, value: number, labels: object): unknown =>
    values.set([name, ...Object.values(labels).map(String)].join(' '), value);
  const meter = {
    createGauge: (name: string) => ({ set: (value: number, labels: object) => set(name, value, labels) }),
  };
  const gauges = startSiteGauges(client, meter as unknown as MetricMeter, 50);
  const capacity = `${metrics.permitCapacity.name} dgx-pyannote`;
  const closed = `${metrics.circuitState.name} dgx-pyannote closed`;
  await until('a first reading', () => values.get(capacity) === 1 && values.get(closed) === 1);
  await client.workflow.getHandle(endpointWorkflowId('dgx-pyannote')).terminate('it is gone');
  await until('zero', () => values.get(capacity) === 0 && values.get(closed) === 0);
  gauges.stop();
}
