import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { saveOutcomePage } from '../../../activities/corpus/batch-record.js';
import type { VerifyOptions } from '../../../activities/corpus/verify-corpus.js';
import { verifyCorpus } from '../../../activities/corpus/verify-corpus.js';
import { createFileArtifactStore } from '../../../activities/store/file-artifact-store.js';
import type { RunPlan, StagePlan, Tier } from '../../../src/run-plan.js';
import type { Stage } from '../../../src/stage.js';
import type { EpisodeChanges } from '../../support/published-episode.js';
import { publish } from '../../support/published-episode.js';
import { useTemporaryDirectory } from '../../support/temporary-directory.js';

describe('verifyCorpus', () => {
  const corpus = useTemporaryDirectory();
  const inEpisode = (name: string, episodeId = 'e1'): string => path.join(corpus(), 'show-abc123', episodeId, name);
  const published = async (...episodes: EpisodeChanges[]): Promise<void> => {
    for (const changes of episodes) await publish(createFileArtifactStore(corpus()), changes);
  };
  const findings = async (options: VerifyOptions = {}): Promise<string[]> => {
    const lines: string[] = [];
    for await (const { episode, code, message } of verifyCorpus(corpus(), options)) {
      lines.push(`${episode.replace('show-abc123/', '')} [${code}] ${message}`);
    }
    return lines;
  };

  it('finds nothing in a healthy corpus, nor in an empty or missing one', async () => {
    expect(await findings()).toEqual([]);
    await published({}, { episodeId: 'e2' }, { episodeId: 'e3', state: 'failed', stages: ['transcribe'] });

    expect(await findings()).toEqual([]);
  });

  describe('files', () => {
    it('finds one that is missing, cut, changed, or not listed', async () => {
      await published({ stages: ['transcribe', 'diarize', 'summarize'] });
      await rm(inEpisode('transcript.srt'));
      await writeFile(inEpisode('transcript.vtt'), 'WEBVTT');
      await writeFile(inEpisode('summary.json'), (await readFile(inEpisode('summary.json'), 'utf8')).replace('T', 'U'));
      await writeFile(inEpisode('graph.kg.json'), '{}');

      expect(await findings()).toEqual([
        expect.stringMatching(/^e1 \[file\] transcript.vtt has 6 bytes; it was written with \d+$/),
        'e1 [file] transcript.srt is missing',
        'e1 [file] summary.json has been changed since it was written: wrong digest',
        'e1 [file] graph.kg.json is not listed in episode.json: whose is it?',
      ]);
    });

    it('finds a record that is missing, damaged or in the wrong place', async () => {
      await published({}, { episodeId: 'e2' }, { episodeId: 'e3' });
      await rm(inEpisode('episode.json', 'e1'));
      await writeFile(inEpisode('episode.json', 'e2'), '{"state": "do');
      await rename(inEpisode('', 'e3'), inEpisode('', 'e4'));

      expect(await findings()).toEqual([
        'e1 [record] episode.json is missing or damaged',
        'e2 [record] episode.json is missing or damaged',
        'e4 [record] episode.json is that of show-abc123/e3',
      ]);
    });

    it('finds what does not satisfy its format, and shows none of its text', async () => {
      const secret = '{"secret": 1}';
      const files = { 'summary.json': secret, 'graph.kg.json': 'secret', 'transcript.json': secret };
      const captions = { 'transcript.vtt': 'secret', 'transcript.srt': 'secret', 'diarization.rttm': 'SPEAKER secret' };
      await published({ files: { ...files, ...captions, 'insights.gi.json': secret } });

      const found = await findings();

      expect(found.map((line) => line.split(' ').slice(1, 5).join(' '))).toEqual([
        '[format] transcript.json does not',
        '[format] transcript.vtt does not',
        '[format] transcript.srt has no',
        '[format] diarization.rttm is not',
        '[format] summary.json does not',
        '[format] insights.gi.json does not',
        '[format] graph.kg.json is not',
      ]);
      expect(found.join()).not.toContain('secret');
    });

    it('finds text artifacts that are about another episode', async () => {
      await published({});
      const names = ['summary.json', 'insights.gi.json', 'graph.kg.json'] as const;
      const texts = await Promise.all(names.map((name) => readFile(inEpisode(name), 'utf8')));
      const files = Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
      await published({ episodeId: 'e2', files });

      expect(await findings()).toEqual(names.map((name) => `e2 [format] ${name} is about another episode: e1`));
    });

    it('finds a quote that nobody said', async () => {
      await published({ text: 'What was said.' });
      const insights = await readFile(inEpisode('insights.gi.json'), 'utf8');
      await rm(inEpisode(''), { recursive: true });

      await published({ text: 'What is said now.', files: { 'insights.gi.json': insights } });

      expect((await findings())[0]).toMatch(/^e1 \[format\] insights.gi.json breaks the grounding contract: .* is not/);
    });

    it('finds a key quote of a summary that nobody said, and a graph whose edges join nothing', async () => {
      const words = 'Trails last when water leaves them.';
      const said = { text: words, charStart: 1, charEnd: words.length, startSec: 0, endSec: 2 };
      await published({});
      const [summary = '', graph = ''] = await Promise.all(
        ['summary.json' as const, 'graph.kg.json' as const].map((name) => readFile(inEpisode(name), 'utf8')),
      );
      await rm(inEpisode(''), { recursive: true });

      await published({
        files: {
          'summary.json': summary.replace('"keyQuotes":[]', `"keyQuotes":[${JSON.stringify(said)}]`),
          'graph.kg.json': graph.replace('"to":"episode:e1"', '"to":"episode:e9"'),
        },
      });

      expect(await findings()).toEqual([
        'e1 [format] summary.json breaks the grounding contract: key quote 1 is not the transcript at 1..35',
        'e1 [format] graph.kg.json is no graph: HAS_EPISODE joins episode:e9, which is no node',
      ]);
    });
  });

  describe('ownership', () => {
    it('finds models mixed within a batch under hold', async () => {
      const other = { optionId: 'transcribe-option', modelReported: 'turbo' };
      await published({}, { episodeId: 'e2' }, { episodeId: 'e3', provenanceOf: { transcribe: other } });

      expect(await findings()).toEqual([
        'e3 [mixed-models] transcribe was made by transcribe-option (turbo at dgx-speaches); ' +
          'most of batch batch-1 by transcribe-option (large-v3 at dgx-speaches)',
      ]);
    });

    it('takes no offence at two batches of different models', async () => {
      await published({}, { episodeId: 'e2', batchId: 'batch-2', provenance: { modelReported: 'turbo' } });

      expect(await findings()).toEqual([]);
    });

    it('finds a lower tier under hold', async () => {
      await published({ provenanceOf: { kg: { tierIndex: 1 } } });

      expect(await findings()).toEqual([
        'e1 [unplanned] kg was made by kg-option, tier 1, although the run holds its chosen model',
      ]);
    });

    it('finds an artifact of another posture', async () => {
      await published({ provenanceOf: { gi: { runContext: 'serve', failureStrategy: 'failover' } } });

      expect(await findings()).toEqual(['e1 [posture] gi ran as serve/failover; expected reprocess/hold']);
    });

    it('finds an artifact that a reprocess took from another batch', async () => {
      await published({ outcome: 'reused', provenanceOf: { transcribe: { batchId: 'last-year' } } });

      expect(await findings()).toEqual([
        'e1 [cache-hit] transcribe was taken from batch last-year; a reprocess regenerates',
      ]);
    });

    it('finds other audio, and documents of another episode', async () => {
      const inputs = ['b'.repeat(64)];
      await published({ provenanceOf: { diarize: { inputs }, summarize: { inputs } } });

      expect(await findings()).toEqual([
        'e1 [input] diarize was made from other audio than aaaaaaaa…',
        'e1 [input] summarize was made from bbbbbbbb…, which is no document of this episode',
      ]);
    });
  });

  describe('against the plan', () => {
    const verify = (changes: Partial<RunPlan> = {}): Promise<string[]> =>
      findings({ batchId: 'batch-1', plan: planOf(corpus(), changes) });

    it('finds nothing where all is as planned', async () => {
      await published({});

      expect(await verify()).toEqual([]);
    });

    it('finds another option, another model of the same option, and a stage that was not planned', async () => {
      await published({
        provenanceOf: { diarize: { optionId: 'other' }, summarize: { modelRequested: 'qwen' } },
      });
      const disabled = { enabled: false, chain: [], suppressed: [] };

      expect(await verify({ stages: { ...planOf(corpus()).stages, kg: disabled } })).toEqual([
        'e1 [unplanned] diarize was made by other; planned: diarize-option',
        'e1 [unplanned] summarize asked qwen at dgx-speaches; planned: large-v3 at dgx-speaches',
        'e1 [unplanned] kg was made by kg-option; planned: not at all',
      ]);
    });

    it('finds an episode that is done without a planned stage', async () => {
      await published({ stages: ['transcribe', 'diarize', 'summarize', 'gi'] });

      expect(await verify()).toEqual(['e1 [stage-missing] kg is planned, but the episode is done without it']);
    });

    it('finds a posture other than the plan says', async () => {
      await published({});

      expect(await verify({ runContext: 'serve', failureStrategy: 'failover' })).toEqual([
        'e1 [posture] the episode ran as reprocess/hold; expected serve/failover',
      ]);
    });

    it('finds an episode that the batch counts as done and the corpus does not have', async () => {
      await published({}, { episodeId: 'e2', batchId: 'another' }, { episodeId: 'e3', state: 'failed', stages: [] });
      const report = { feedId: 'show-abc123', title: 'T', state: 'done' as const, stages: [] };
      const episodes = ['e1', 'e2', 'e3', 'e4'].map((episodeId) => ({ ...report, episodeId }));
      await saveOutcomePage(corpus(), { batchId: 'batch-1', page: 0, episodes });

      expect(await verify()).toEqual(
        ['e2', 'e3', 'e4'].map((id) => `${id} [outcome] batch batch-1 counts it as done, but its result is not there`),
      );
    });
  });

  it('passes over directories of its own, and other batches when asked for one', async () => {
    await published({}, { episodeId: 'e2', batchId: 'another', provenanceOf: { kg: { tierIndex: 1 } } });
    await mkdir(path.join(corpus(), 'batches', 'x'), { recursive: true });

    expect(await findings({ batchId: 'batch-1' })).toEqual([]);
    expect(await findings()).toHaveLength(1);
  });

  it('stops when it is cancelled', async () => {
    await published({});
    const reason = new Error('cancelled');

    await expect(findings({ cancellation: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

/** The plan that `publish` follows. */
function planOf(corpusDir: string, changes: Partial<RunPlan> = {}): RunPlan {
  const policy: Tier['policy'] = {
    failureStrategy: 'hold',
    retriesBeforeTrip: 3,
    backoffScheduleSec: [30],
    onOpenMaxWaitSec: 900,
  };
  const stagePlan = (stage: Stage): StagePlan => ({
    enabled: true,
    suppressed: [],
    chain: [
      {
        optionId: `${stage}-option`,
        provider: 'p',
        wire: 'openai-chat',
        model: 'large-v3',
        endpointId: 'dgx-speaches',
        url: 'http://127.0.0.1:1',
        cloud: false,
        deadline: { baseSec: 1, perAudioMinuteSec: 0 },
        policy,
      },
    ],
  });
  return {
    batchId: 'batch-1',
    profile: 'local',
    runContext: 'reprocess',
    failureStrategy: 'hold',
    allowCloudFallback: false,
    transcriptCacheEnabled: false,
    corpusDir,
    callBudgetPerEpisode: 1500,
    coverageMin: 0,
    stages: {
      transcribe: stagePlan('transcribe'),
      diarize: stagePlan('diarize'),
      summarize: stagePlan('summarize'),
      gi: stagePlan('gi'),
      kg: stagePlan('kg'),
    },
    endpoints: {},
    ...changes,
  };
}
