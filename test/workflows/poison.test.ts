import { sha256Of } from '../../activities/store/digest.js';
import type { Rig } from '../support/rig.js';
import { asr, diarizer, minuteMs, planOf, pyannote, speaches, timeSkippingSites } from '../support/sites.js';
import { toneWav } from '../support/tone-wav.js';

/** Digest of the audio of a rig's n-th episode. */
function audioOf(n: number): string {
  return sha256Of(toneWav(200 + n));
}

describe('an input that fails', () => {
  const sites = timeSkippingSites();

  async function site(mode: string, poisoned: readonly number[], episodes = 6): Promise<Rig> {
    const rules = poisoned.map((n) => ({ when: { kind: 'work', sha256: audioOf(n) } as const, mode }));
    return sites.start({
      episodes,
      stub: { asr: { ...speaches, script: { rules } }, diarizer: pyannote },
      plan: planOf('hold', [asr(), diarizer()]),
    });
  }

  const failed = (rig: Rig, batchId: string): Promise<string[]> =>
    rig.batchStatus(batchId).then(({ lastFailures }) => lastFailures.map(({ episodeId }) => episodeId).sort());

  it.each(['status:400', '413', 'status:422'])('fails after one call when it is refused with %s', async (mode) => {
    const rig = await site(mode, [1], 3);
    await rig.startBatch('refused');
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('refused')).toMatchObject({ done: 2, failed: 1, remaining: 0 });
    expect(await failed(rig, 'refused')).toEqual([rig.episodeId(1)]);
    expect(rig.stub.endpoint('asr').counters.workCalls).toBe(3);
    expect(await rig.endpointState('asr')).toMatchObject({ circuit: 'closed', counters: { trips: 0 } });
    expect(rig.alerts).toEqual([]);
  });

  it.each([1, 6])('is found out by its 500s, and holds nobody, with a window of %i', async (window) => {
    const rig = await site('status:500', [2]);
    await rig.startBatch('suspect', { window });
    await sites.temporal.sleep(14 * minuteMs);
    const status = await rig.batchStatus('suspect');
    expect(status).toMatchObject({ done: 5, failed: 1, remaining: 0 });
    expect(status.lastFailures).toEqual([
      { episodeId: rig.episodeId(2), reason: expect.stringContaining('suspect input') as string },
    ]);
    expect(await rig.endpointState('asr')).toMatchObject({ circuit: 'closed' });
    expect(rig.alerts.map(({ alert }) => alert.kind)).toEqual(['trip', 'recovered']);
  });

  it.each([1, 6])('does not hold the batch when two of them stand in a row, with a window of %i', async (window) => {
    const rig = await site('status:500', [1, 2]);
    await rig.startBatch('two', { window });
    await sites.temporal.sleep(30 * minuteMs);
    expect(await rig.batchStatus('two')).toMatchObject({ done: 4, failed: 2, remaining: 0 });
    expect(await failed(rig, 'two')).toEqual([rig.episodeId(1), rig.episodeId(2)]);
    expect(rig.alerts.map(({ alert }) => alert.kind)).not.toContain('fuseOpen');
  });

  it('leaves what its other stages made untouched, and the others whole', async () => {
    const rig = await site('status:500', [0], 3);
    await rig.startBatch('whole', { window: 2 });
    await sites.temporal.sleep(20 * minuteMs);
    expect(await rig.batchStatus('whole')).toMatchObject({ done: 2, failed: 1 });
    expect(rig.stub.endpoint('diarizer').counters.workCalls).toBe(2);
  });
});
