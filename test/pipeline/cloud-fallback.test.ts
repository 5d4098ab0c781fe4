import path from 'node:path';
import { createResolveRunPlan } from '../../activities/plan/resolve-run-plan.js';
import { shippedProfilesDir } from '../../activities/plan/profile-files.js';
import { parseConfig } from '../../src/config.js';
import { findOption } from '../../src/model-registry.js';
import { plan } from '../support/plan.js';
import type { Rig } from '../support/rig.js';
import { minuteMs, timeSkippingSites } from '../support/sites.js';
import { publishedEpisode, refusalOf, stageOf } from './support.js';

const turbo = findOption('tailnet_dgx_whisper_turbo')?.model ?? '';
const moss = findOption('moss_transcribe_diarize')?.model ?? '';
const whisper1 = findOption('openai_whisper_1')?.model ?? '';
const speechOnly = {
  summary_enabled: false,
  gi_enabled: false,
  kg_enabled: false,
  diarization_enabled: false,
  transcription: 'tailnet_dgx_whisper_turbo',
  transcription_fallback: ['moss_transcribe_diarize', 'openai_whisper_1'],
  transcription_resilience_backoff_schedule_sec: [0.1],
};

describe('allow_cloud_fallback', () => {
  const sites = timeSkippingSites();

  /** A shipped serving profile with its endpoints on this site, the cloud's among them. */
  async function site(allowed: boolean): Promise<Rig> {
    const rig = await sites.start({
      episodes: 1,
      stub: {
        'dgx-speaches': { shape: 'speaches', model: turbo, durationSec: 2 },
        'dgx-moss': { shape: 'moss', model: moss, durationSec: 2 },
        openai: { shape: 'openai-transcription', model: whisper1, durationSec: 2 },
      },
      deps: { apiKey: () => 'test-key' },
      plan: ({ batchId, corpusDir, stub }) =>
        plan({
          profile: 'prod_dgx_moss',
          config: {
            endpoints: Object.fromEntries([...stub.endpoints].map(([id, { url }]) => [id, { url }])),
          },
          overrides: { ...speechOnly, allow_cloud_fallback: allowed },
          rest: { batchId, corpusDir },
        }),
    });
    for (const id of ['dgx-speaches', 'dgx-moss']) await rig.stub.endpoint(id).down();
    await rig.startBatch('b');
    await sites.temporal.sleep(5 * minuteMs);
    return rig;
  }

  it('false: all tiers on the premises down, and the cloud sees nothing, not even a health check', async () => {
    const rig = await site(false);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'failed', done: 0, failed: 1 });
    expect(rig.stub.endpoint('openai').calls).toEqual([]);
    const { reason } = await publishedEpisode(rig);
    expect(reason).toMatch(/tailnet_dgx_whisper_turbo at dgx-speaches: .*; moss_transcribe_diarize at dgx-moss: /);
    expect(reason).not.toContain('openai');
  });

  it('true: the paid tier is the last resort', async () => {
    const rig = await site(true);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 1 });
    expect((await stageOf(rig, 'transcribe')).optionId).toBe('openai_whisper_1');
  });

  it('false: a paid primary is refused at the start, and nothing is called', async () => {
    const site = parseConfig({ allow_cloud_fallback: false }, 'site').config;
    const resolveRunPlan = createResolveRunPlan({ profilesDir: shippedProfilesDir(), workingDir: path.sep, site });
    const rig = await sites.start({
      episodes: 1,
      stub: { openai: { shape: 'openai-transcription', model: whisper1 } },
      plan: () => plan({}),
      change: (activities) => ({ ...activities, main: { ...activities.main, resolveRunPlan } }),
    });
    await rig.startBatch('b', { profile: 'reprocess_v22_community1' });
    await sites.temporal.sleep(minuteMs);
    const { type, message } = await refusalOf(rig, 'b');
    expect(type).toBe('InvalidInput');
    expect(message).toContain('transcription: "openai_whisper_1" is a cloud option, and allow_cloud_fallback is false');
    expect(rig.stub.calls).toEqual([]);
  });
});
