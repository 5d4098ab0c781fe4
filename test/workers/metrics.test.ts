import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { MetricMeter } from '@temporalio/common';
import { parse } from 'yaml';
import { batchWorkflowId, endpointWorkflowId, taskQueues } from '../../src/messages.js';
import { metrics, type MetricDefinition } from '../../src/metrics.js';
import type { LogLine } from '../../workers/log.js';
import { startSiteGauges } from '../../workers/site-gauges.js';
import { DrillSite, until } from '../drills/drill-site.js';
import { freePorts } from '../support/free-ports.js';
import { repositoryRoot } from '../support/prepared.js';
import { scrape, type Scrape } from '../support/scrape.js';

describe('a worker with a metrics address', () => {
  const endpoint = 'dgx-speaches';
  let drill: DrillSite;
  let held: Scrape;
  let ended: Scrape;

  /** An outage that two episodes wait out, a summary that is cut, a misspelt signal and a workflow nobody knows. */
  beforeAll(async () => {
    const [port = 0] = await freePorts(1);
    const metricsAddress = `127.0.0.1:${port}`;
    drill = await DrillSite.start({ episodes: 2, config: { worker: { metricsAddress } } });
    await drill.client.workflow.start('noSuchWorkflow', { taskQueue: taskQueues.main, workflowId: 'nobody' });
    await drill.endpoint(endpoint).down('status:503');
    drill.endpoint('dgx-ollama').script({ steps: [{ mode: 'truncate+length' }] });
    await drill.startBatch('b');
    held = await until('both episodes held, in a scrape', async () => {
      const found = await scrape(metricsAddress);
      return found.sum('holdfast_open_episodes', { state: 'holding' }) === 2 && found;
    });
    await drill.endpoint(endpoint).up();
    await drill.signalBatch('b', 'pauze');
    await drill.outcome('b');
    ended = await scrape(metricsAddress);
  });
  afterAll(() => drill.stop());

  it('shows how endpoints, batches and episodes stand now', () => {
    expect(held.sum('holdfast_circuit_state', { endpoint, state: 'open' })).toBe(1);
    expect(held.sum('holdfast_circuit_state', { endpoint })).toBe(1);
    expect(held.sum('holdfast_permit_capacity', { endpoint })).toBe(1);
    expect(held.sum('holdfast_permits_in_use', { endpoint })).toBe(0);
    expect(held.sum('holdfast_permits_waiting', { endpoint })).toBe(2);
    expect(held.sum('holdfast_open_batches', { state: 'holding' })).toBe(1);
  });

  it('counts an outage as the service and the entity saw it', async () => {
    const { counters } = drill.endpoint(endpoint);
    const entity = await drill.endpointState(endpoint);
    const failed = { endpoint, outcome: 'EndpointUnavailable' };
    expect(ended.sum('holdfast_calls_total', { endpoint })).toBe(counters.workCalls);
    expect(ended.sum('holdfast_calls_total', failed)).toBe(counters.callsWhileDown);
    expect(ended.sum('holdfast_call_duration_seconds_count', { endpoint })).toBe(counters.workCalls);
    expect(ended.sum('holdfast_probes_total', { endpoint })).toBe(counters.probeCalls);
    expect(ended.sum('holdfast_probes_total', { endpoint, outcome: 'failed' })).toBe(counters.probesWhileDown);
    expect(ended.sum('holdfast_permits_granted_total', { endpoint })).toBe(entity?.counters.grants);
    expect(ended.sum('holdfast_trips_total')).toBe(1);
    expect(ended.sum('holdfast_recoveries_total', { endpoint })).toBe(1);
    expect(ended.sum('holdfast_outage_seconds_total', { endpoint })).toBeGreaterThan(0);
    expect(ended.sum('holdfast_hold_seconds_total', { endpoint })).toBeGreaterThan(0);
  });

  it('counts an invalid answer and its re-roll', () => {
    const llm = { endpoint: 'dgx-ollama' };
    expect(ended.sum('holdfast_calls_total', llm)).toBe(drill.endpoint('dgx-ollama').counters.workCalls);
    expect(ended.sum('holdfast_rerolls_total', { ...llm, service: 'summary' })).toBe(1);
    expect(ended.sum('holdfast_guardrail_violations_total', { ...llm, reason: 'finish_reason_length' })).toBe(1);
    expect(ended.sum('holdfast_guardrail_violations_total')).toBe(1);
  });

  it('counts the ends of stages, episodes and batches', () => {
    expect(ended.sum('holdfast_stages_ended_total', { outcome: 'executed' })).toBe(2 * 5);
    expect(ended.sum('holdfast_episodes_ended_total', { outcome: 'done' })).toBe(2);
    expect(ended.sum('holdfast_batches_ended_total', { outcome: 'completed' })).toBe(1);
  });

  it("serves all that alert rules and dashboard ask for, beside Temporal's own", async () => {
    const exposed = new Set([...ourNames(), ...ended.samples.map(({ name }) => name)]);
    const { rules, dashboard } = await askedFor();

    expect(rules.filter((name) => !exposed.has(name))).toEqual([]);
    expect(dashboard.filter((name) => !exposed.has(name))).toEqual([]);
    expect(dashboard).toEqual(expect.arrayContaining(['holdfast_hold_seconds_total']));
    expect(rules).toEqual(expect.arrayContaining(['temporal_workflow_task_execution_failed']));
    expect(ended.samples.filter(({ name }) => name.startsWith('holdfast_') && !ourNames().includes(name))).toEqual([]);
  });

  it('has every metric of ours explained to operators', async () => {
    const manual = await readFile(path.join(repositoryRoot, 'docs', 'operations.md'), 'utf8');
    const unexplained = Object.values(metrics).filter(({ name }) => !manual.includes(`\`${name}\``));
    expect(unexplained).toEqual([]);
  });

  it('says in each line of its log whose it is', async () => {
    const text = await readFile(path.join(drill.dataDir, 'worker.log'), 'utf8');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as LogLine);
    const said = (words: string): LogLine | undefined => lines.find(({ message }) => message.startsWith(words));
    const workflowId = expect.stringMatching(/^episode\/b\/tone-/) as unknown;
    const summary = { workflowId, activityType: 'summarize', reason: 'finish_reason_length' };
    expect(said('invalid answer')).toMatchObject(summary);
    expect(said('Activity failed')).toMatchObject({ workflowId, activityType: 'transcribe', attempt: 1 });
    const entity = endpointWorkflowId(endpoint);
    expect(said('Circuit tripped')).toMatchObject({ workflowId: entity, activityType: 'raiseAlert' });
    expect(said('message refused')).toMatchObject({ workflowId: batchWorkflowId('b'), name: 'pauze' });
  });

  it('traces nothing by itself', async () => {
    const history = await drill.client.workflow.getHandle(batchWorkflowId('b')).fetchHistory();
    expect(JSON.stringify(history)).not.toContain('_tracer-data');
    expect(drill.stub.calls.filter(({ headers }) => 'traceparent' in headers)).toEqual([]);
  });

  it('shows zero for an endpoint that is gone', async () => {
    const values = new Map<string, number>();
    // The gauges by themselves, in this process: read often, and kept.
    const gauges = startSiteGauges(drill.client, meterInto(values), 50);
    const capacity = `${metrics.permitCapacity.name} dgx-pyannote`;
    const closed = `${metrics.circuitState.name} dgx-pyannote closed`;
    await until('a first reading', () => values.get(capacity) === 1 && values.get(closed) === 1);
    await drill.client.workflow.getHandle(endpointWorkflowId('dgx-pyannote')).terminate('it is gone');
    await until('zero', () => values.get(capacity) === 0 && values.get(closed) === 0);
    await gauges.stop();
    expect(values.get(`${metrics.permitCapacity.name} ${endpoint}`)).toBe(1);
  });
});

/** As Prometheus sees them: a histogram is three. */
function ourNames(): string[] {
  return Object.values(metrics).flatMap(({ name, kind }: MetricDefinition) =>
    kind === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => `${name}${suffix}`) : [name],
  );
}

/** Names of the metrics in the expressions of both files. */
async function askedFor(): Promise<{ readonly rules: readonly string[]; readonly dashboard: readonly string[] }> {
  const read = (...names: string[]): Promise<string> => readFile(path.join(repositoryRoot, 'ops', ...names), 'utf8');
  const rules: unknown = parse(await read('prometheus', 'holdfast.rules.yml'));
  const dashboard: unknown = JSON.parse(await read('grafana', 'holdfast.json'));
  return { rules: namesIn(rules), dashboard: namesIn(dashboard) };
}

function namesIn(document: unknown): string[] {
  const names = new Set<string>();
  JSON.stringify(document, (key, value: unknown) => {
    if (key === 'expr' && typeof value === 'string') {
      for (const [name] of value.matchAll(/\b(?:holdfast|temporal)_\w+/g)) names.add(name);
    }
    return value;
  });
  return [...names];
}

function meterInto(values: Map<string, number>): MetricMeter {
  const createGauge = (name: string): unknown => ({
    set: (value: number, labels: Record<string, string>) =>
      values.set([name, ...Object.values(labels)].join(' '), value),
  });
  return { createGauge } as unknown as MetricMeter;
}
