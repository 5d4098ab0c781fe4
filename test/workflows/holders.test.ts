import { endpointWorkflowId } from '../../src/messages.js';
import type { TestTier } from '../support/plans.js';
import { Rig } from '../support/rig.js';
import { asr, planOf, speaches } from '../support/sites.js';
import { startDevServer, type TestTemporal } from '../support/temporal.js';

/** In real time: the time-skipping server tells no parent of a terminated child, and stands still after it. */
describe('an endpoint whose caller ends', () => {
  let temporal: TestTemporal;
  let started: Rig | undefined;

  beforeAll(async () => {
    temporal = await startDevServer();
  });
  afterEach(() => started?.stop());
  afterAll(() => temporal.stop());

  async function site(episodes: number, tier: Partial<TestTier> = {}): Promise<Rig> {
    const plan = planOf('hold', [asr({ deadlineSec: 300, ...tier })]);
    started = await Rig.start({ temporal, episodes, stub: { asr: speaches }, plan });
    return started;
  }

  /** One episode calls for ever, two wait behind it. */
  async function busy(batchId: string): Promise<Rig> {
    const rig = await site(3);
    rig.stub.endpoint('asr').script({ steps: [{ mode: 'hang' }] });
    await rig.startBatch(batchId);
    await rig.eventually(() => rig.stub.endpoint('asr').counters.workCalls === 1);
    await rig.eventually(async () => (await rig.endpointState('asr')).waiting.length === 2);
    return rig;
  }

  async function callerOf(rig: Rig): Promise<string> {
    return (await rig.endpointState('asr')).held[0]?.workflowId ?? '';
  }

  async function end(workflowId: string, how: 'terminate' | 'cancel'): Promise<void> {
    await temporal.client.workflow.getHandle(workflowId)[how]();
  }

  const isEnded = async (rig: Rig, batchId: string): Promise<boolean> =>
    (await rig.batchStatus(batchId)).inWork.length === 0;

  it.each([
    ['terminate', { done: 2, failed: 1, remaining: 0 }],
    ['cancel', { done: 2, failed: 0, remaining: 1 }],
  ] as const)('goes to the next after %s, never two at once', async (how, counts) => {
    const rig = await busy(how);
    await end(await callerOf(rig), how);
    await rig.eventually(() => isEnded(rig, how));
    expect(await rig.batchStatus(how)).toMatchObject(counts);
    expect(rig.stub.endpoint('asr').counters).toMatchObject({ workCalls: 3, maxInFlight: 1, closedByClient: 1 });
  });

  it.each(['terminate', 'cancel'] as const)('passes over a place in the queue that ended by %s', async (how) => {
    const rig = await busy(`queued-${how}`);
    const [queued] = (await rig.endpointState('asr')).waiting;
    await end(queued?.workflowId ?? '', how);
    await rig.eventually(async () => (await rig.endpointState('asr')).waiting.length === 1);
    await end(await callerOf(rig), 'cancel');
    await rig.eventually(() => isEnded(rig, `queued-${how}`));
    expect(await rig.batchStatus(`queued-${how}`)).toMatchObject({ done: 1 });
    expect(await rig.endpointState('asr')).toMatchObject({ circuit: 'closed', held: [], waiting: [] });
  });

  it('goes on when it is cancelled between two retries', async () => {
    const rig = await site(3, { policy: { backoffScheduleSec: [60] } });
    const service = rig.stub.endpoint('asr');
    await service.down('status:503');
    await rig.startBatch('backoff');
    await rig.eventually(() => service.counters.workCalls === 1);
    await rig.eventually(async () => (await rig.endpointState('asr')).circuit === 'suspect');
    await service.up();
    await end(await callerOf(rig), 'cancel');
    await rig.eventually(() => isEnded(rig, 'backoff'));
    expect(await rig.batchStatus('backoff')).toMatchObject({ done: 2, remaining: 1 });
    expect(await rig.endpointState('asr')).toMatchObject({ circuit: 'closed', counters: { trips: 0 } });
  });

  it('goes on, once a call of it could no longer run, when it is terminated between two retries', async () => {
    const rig = await site(3, { policy: { backoffScheduleSec: [60] } });
    const service = rig.stub.endpoint('asr');
    await service.down('status:503');
    await rig.startBatch('gone');
    await rig.eventually(() => service.counters.workCalls === 1);
    await rig.eventually(async () => (await rig.endpointState('asr')).circuit === 'suspect');
    await service.up();
    await end(await callerOf(rig), 'terminate');
    await rig.eventually(() => isEnded(rig, 'gone'));
    expect(await rig.batchStatus('gone')).toMatchObject({ done: 2, failed: 1 });
    expect(await rig.endpointState('asr')).toMatchObject({ circuit: 'closed', counters: { trips: 0 } });
  });

  it('has its entity started anew by the next request after somebody terminated that', async () => {
    const rig = await site(3);
    const service = rig.stub.endpoint('asr');
    service.script({ steps: [{ mode: 'slow:1s' }] });
    await rig.startBatch('anew', { window: 1 });
    await rig.eventually(() => service.counters.workCalls === 1);
    await rig.terminate(endpointWorkflowId('asr'));
    await rig.eventually(() => isEnded(rig, 'anew'));
    await rig.eventually(async () => (await rig.batchStatus('anew')).state === 'completed');
    expect(service.counters).toMatchObject({ workCalls: 3, maxInFlight: 1 });
  });
});
