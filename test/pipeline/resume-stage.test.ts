import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Rig } from '../support/rig.js';
import { asr, llm, minuteMs, planOf, speaches, timeSkippingSites, vllm } from '../support/sites.js';
import { asked } from './support.js';

/** The questions of GI in their order, for a talk of one chunk. */
const questions = ['insights', 'insight_value_gate', 'quotes', 'entailment'];

async function answersKept(rig: Rig): Promise<string[]> {
  const files = await readdir(path.join(rig.corpusDir, '.holdfast', 'answers'), { recursive: true }).catch(() => []);
  return files.filter((file) => file.endsWith('.json'));
}

describe('a text stage of several calls', () => {
  const sites = timeSkippingSites();

  async function site(strategy: 'hold' | 'failover' = 'hold'): Promise<Rig> {
    const plan = planOf(strategy, [asr(), llm('gi')]);
    return sites.start({ episodes: 1, stub: { asr: { ...speaches, durationSec: 25 }, llm: vllm }, plan });
  }

  it('asks each question once when all goes well', async () => {
    const rig = await site();
    await rig.startBatch('b');
    await sites.temporal.sleep(minuteMs);
    expect(asked(rig, 'llm')).toEqual(questions);
    expect(await answersKept(rig)).toEqual([]);
  });

  it.each([
    ['an overload', 'status:503'],
    ['an answer that is cut on its way', 'truncated'],
    ['a rate limit', 'rate-limit,retry-after=2'],
  ])('does not ask again what was answered before %s', async (_, mode) => {
    const rig = await site();
    rig.stub.endpoint('llm').script({ steps: [{ mode: 'ok', times: 2 }, { mode }] });
    await rig.startBatch('b');
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 1 });
    expect(asked(rig, 'llm')).toEqual(['insights', 'insight_value_gate', 'quotes', 'quotes', 'entailment']);
    expect(await answersKept(rig)).toEqual([]);
  });

  it('climbs a ladder of its own for each call', async () => {
    const rig = await site();
    const twice = [{ mode: 'status:503', times: 2 }, { mode: 'ok' }];
    rig.stub.endpoint('llm').script({ steps: [...twice, ...twice, ...twice] });
    await rig.startBatch('b');
    await sites.temporal.sleep(30 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 1 });
    expect(await rig.endpointState('llm')).toMatchObject({ circuit: 'closed', counters: { trips: 0 } });
    expect(rig.alerts).toEqual([]);
  });
});
