import type { Rig } from '../support/rig.js';
import { asr, minuteMs, planOf, secondMs, speaches, timeSkippingSites } from '../support/sites.js';

describe('abort', () => {
  const sites = timeSkippingSites();

  async function site(episodes: number): Promise<Rig> {
    return sites.start({
      episodes,
      stub: { asr: speaches },
      plan: planOf('hold', [asr({ deadlineSec: 300, settings: { capacity: 2 } })]),
    });
  }

  it('cuts the calls in flight and ends the batch as BatchAborted', async () => {
    const rig = await site(4);
    const service = rig.stub.endpoint('asr');
    service.script({ default: 'hang' });
    await rig.startBatch('in-flight', { window: 3 });
    await rig.eventually(() => service.counters.workCalls === 2);
    await rig.signalBatch('in-flight', 'abort');
    await rig.eventually(() => service.counters.closedByClient === 2);
    expect(await rig.failureOf('in-flight')).toMatchObject({ type: 'BatchAborted' });
    expect(await rig.batchStatus('in-flight')).toMatchObject({ state: 'aborted', done: 0, failed: 0, remaining: 4 });
    expect(await rig.endpointState('asr')).toMatchObject({ waiting: [] });
  });

  it('ends a halted batch', async () => {
    const rig = await site(2);
    await rig.stub.endpoint('asr').down('status:503');
    await rig.startBatch('halted');
    await sites.temporal.sleep(20 * minuteMs);
    await rig.signalBatch('halted', 'abort');
    expect(await rig.failureOf('halted')).toMatchObject({ type: 'BatchAborted' });
    expect(await rig.endpointState('asr')).toMatchObject({ held: [], waiting: [] });
  });

  it('is safe to repeat', async () => {
    const rig = await site(2);
    const service = rig.stub.endpoint('asr');
    service.script({ default: 'hang' });
    await rig.startBatch('twice');
    await rig.eventually(() => service.counters.workCalls === 2);
    await Promise.all([rig.signalBatch('twice', 'abort'), rig.signalBatch('twice', 'abort')]);
    expect(await rig.failureOf('twice')).toMatchObject({ type: 'BatchAborted' });
  });

  it('leaves the endpoint to others at once', async () => {
    const rig = await site(2);
    const service = rig.stub.endpoint('asr');
    service.script({ default: 'hang' });
    await rig.startBatch('first');
    await rig.eventually(() => service.counters.workCalls === 2);
    await rig.signalBatch('first', 'abort');
    expect(await rig.failureOf('first')).toMatchObject({ type: 'BatchAborted' });
    service.script({});
    await rig.startBatch('second');
    await sites.temporal.sleep(30 * secondMs);
    expect(await rig.batchStatus('second')).toMatchObject({ state: 'completed', done: 2 });
  });
});
