import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Activities } from '../../activities/index.js';
import { verifyCorpus } from '../../activities/corpus/verify-corpus.js';
import { blobOf } from '../../activities/stages/stage-job.js';
import { createFileArtifactStore } from '../../activities/store/file-artifact-store.js';
import { verifyGrounding } from '../../src/verify-grounding.js';
import { giArtifactSchema } from '../../src/insights.js';
import { parsePodcastTranscript } from '../../src/transcript-formats.js';
import type { Transcript } from '../../src/transcript.js';
import { workOrderSchema } from '../../src/work-order.js';
import { schemaFaults } from '../support/artifact-schemas.js';
import type { Rig } from '../support/rig.js';
import { asr, diarizer, llm, minuteMs, planOf, pyannote, speaches, timeSkippingSites, vllm } from '../support/sites.js';
import { sharedTranscript } from '../support/spoken.js';
import type { FixedReply } from '../support/stub/script.js';
import { publishedEpisode } from './support.js';

const talk = sharedTranscript('p01_e02');
const withSharedData = talk === undefined ? describe.skip : describe;

/** What the services of the GPU box answer for this talk, in their own shapes. */
function recorded({ durationSec, segments }: Transcript): { asr: FixedReply; diarizer: FixedReply } {
  const timed = segments.map(({ startSec, endSec, text }) => ({ start: startSec, end: endSec, text }));
  const turns = segments.map(({ startSec, endSec, speaker = '' }) => ({ start: startSec, end: endSec, speaker }));
  const text = timed.map((segment) => segment.text).join(' ');
  return {
    asr: { status: 200, body: { task: 'transcribe', language: 'en', duration: durationSec, text, segments: timed } },
    diarizer: { status: 200, body: { model_name: pyannote.model, num_speakers: 2, segments: turns } },
  };
}

/** As if the audio had this length. */
function lasting(durationSec: number): (activities: Activities) => Activities {
  return (activities) => ({
    ...activities,
    main: {
      ...activities.main,
      prepareEpisode: async (input) => {
        const prepared = await activities.main.prepareEpisode(input);
        const store = createFileArtifactStore(input.plan.corpusDir);
        const order = await store.readJson(blobOf(prepared.order), workOrderSchema);
        const longer = { ...order, audio: { ...order.audio, durationSec } };
        return { ...prepared, durationSec, order: (await store.put(JSON.stringify(longer))).sha256 };
      },
    },
  });
}

withSharedData('the five stages on p01_e02 (skipped where ../shared/data is not there)', () => {
  const sites = timeSkippingSites();

  async function done(spoken: Transcript): Promise<Rig> {
    const tiers = [asr(), diarizer(), llm('summarize'), llm('gi'), llm('kg')];
    const rig = await sites.start({
      episodes: 1,
      stub: { asr: speaches, diarizer: pyannote, llm: vllm },
      plan: planOf('hold', tiers, { coverageMin: 0.85 }),
      change: lasting(spoken.durationSec),
    });
    for (const [id, reply] of Object.entries(recorded(spoken))) {
      rig.stub.endpoint(id).script({ rules: [{ when: { kind: 'work' }, reply }] });
    }
    await rig.startBatch('b');
    await sites.temporal.sleep(5 * minuteMs);
    expect(await rig.batchStatus('b')).toMatchObject({ state: 'completed', done: 1 });
    return rig;
  }

  const textOf = (rig: Rig, name: string): Promise<string> =>
    readFile(path.join(rig.corpusDir, 'feed', rig.episodeId(0), name), 'utf8');

  it('ground every insight in quotes that the published transcript has, and pass every check', async () => {
    const rig = await done(talk ?? { durationSec: 0, segments: [] });
    expect((await publishedEpisode(rig)).stages.map(({ outcome }) => outcome)).toEqual(Array(5).fill('executed'));
    const transcript = parsePodcastTranscript(await textOf(rig, 'transcript.json'));
    const gi = giArtifactSchema.parse(JSON.parse(await textOf(rig, 'insights.gi.json')));
    expect(verifyGrounding(gi, transcript)).toEqual([]);
    const insights = gi.nodes.filter((node) => node.type === 'Insight');
    const supported = new Set(gi.edges.flatMap(({ type, from }) => (type === 'SUPPORTED_BY' ? [from] : [])));
    expect(insights.length).toBeGreaterThan(3);
    expect(insights.filter((node) => node.properties.grounded).every(({ id }) => supported.has(id))).toBe(true);
    expect(schemaFaults('gi', gi)).toEqual([]);
    expect(schemaFaults('kg', JSON.parse(await textOf(rig, 'graph.kg.json')))).toEqual([]);
    const findings: unknown[] = [];
    for await (const finding of verifyCorpus(rig.corpusDir)) findings.push(finding);
    expect(findings).toEqual([]);
  });
});
