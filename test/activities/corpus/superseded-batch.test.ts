import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { saveOutcomePage } from '../../../activities/corpus/batch-record.js';
import type { VerifyOptions } from '../../../activities/corpus/verify-corpus.js';
import { verifyCorpus } from '../../../activities/corpus/verify-corpus.js';
import { createFileArtifactStore } from '../../../activities/store/file-artifact-store.js';
import type { EpisodeChanges } from '../../support/published-episode.js';
import { publish } from '../../support/published-episode.js';
import { useTemporaryDirectory } from '../../support/temporary-directory.js';

describe('verifyCorpus, asked for a batch whose place another has taken', () => {
  const corpus = useTemporaryDirectory();
  const inEpisode = (name: string, episodeId = 'e1'): string => path.join(corpus(), 'show-abc123', episodeId, name);
  const published = async (...episodes: EpisodeChanges[]): Promise<void> => {
    for (const changes of episodes) await publish(createFileArtifactStore(corpus()), changes);
  };
  const findings = async (options: VerifyOptions): Promise<string[]> => {
    const lines: string[] = [];
    for await (const { episode, code, message } of verifyCorpus(corpus(), options)) {
      lines.push(`${episode.replace('show-abc123/', '')} [${code}] ${message}`);
    }
    return lines;
  };
  const checked = async (
    batchId: string,
    options: VerifyOptions = {},
  ): Promise<{ checked: string[]; found: string[] }> => {
    const lines: string[] = [];
    const onEpisode: VerifyOptions['onEpisode'] = ({ episode, supersededBy }) => {
      lines.push(`${episode.replace('show-abc123/', '')} ${supersededBy ?? '-'}`);
    };
    const found = await findings({ batchId, onEpisode, ...options });
    return { checked: lines, found };
  };
  const counted = (batchId: string, ...ids: string[]): Promise<void> => {
    const report = { feedId: 'show-abc123', title: 'T', state: 'done' as const, stages: [] };
    const episodes = ids.map((episodeId) => ({ ...report, episodeId }));
    return saveOutcomePage(corpus(), { batchId, page: 0, episodes });
  };

  it('finds nothing, counts its own episodes, and names the batch that stands there now', async () => {
    await published({ batchId: 'old' }, { batchId: 'old', episodeId: 'e2' }, { batchId: 'other', episodeId: 'e3' });
    await counted('old', 'e1', 'e2');
    await published({ batchId: 'new', text: 'Said anew.' });

    expect(await checked('old')).toEqual({ checked: ['e1 new', 'e2 -'], found: [] });
    expect(await checked('new')).toEqual({ checked: ['e1 -'], found: [] });
  });

  it('finds what is damaged of its own in the store, and models mixed over the batch', async () => {
    const input = await publish(createFileArtifactStore(corpus()), { batchId: 'old' });
    await published({ batchId: 'old', episodeId: 'e2', provenanceOf: { gi: { modelReported: 'another' } } });
    await published({ batchId: 'new', text: 'Said anew.' });
    const vtt = input.records[0]?.blobs['transcript.vtt']?.uri ?? '';
    await writeFile(path.join(corpus(), vtt), 'WEBVTT');

    const { found } = await checked('old');

    expect(found[0]).toMatch(/^e1 \[file\] transcript.vtt has 6 bytes; .* \(its copy in the store\)$/);
    expect(found[1]).toMatch(/^e\d \[mixed-models\] gi was made by /);
    expect(found).toHaveLength(2);
  });

  it('finds a result that is gone, or that only an earlier batch has left there', async () => {
    await published({ batchId: 'older', episodeId: 'e1' }, { batchId: 'old', episodeId: 'e2' });
    await counted('old', 'e1', 'e2');
    await rm(inEpisode('', 'e2'), { recursive: true });

    expect(await checked('old')).toEqual({
      checked: ['e1 -', 'e2 -'],
      found: ['e1', 'e2'].map((id) => `${id} [outcome] batch old counts it as done, but its result is not there`),
    });
  });

  it('sees no damage in what another batch is writing, once it has written it', async () => {
    await published({ batchId: 'old' });
    await counted('old', 'e1');
    await writeFile(inEpisode('summary.json'), '{}');
    const heartbeat = (): void => {
      if (!isWritten) written = published({ batchId: 'new', text: 'Said anew.' });
      isWritten = true;
    };
    let isWritten = false;
    let written = Promise.resolve();

    expect((await checked('old', { lookAgainAfterMs: [10, 200, 2000], heartbeat })).found).toEqual([]);
    await written;
    await writeFile(inEpisode('summary.json'), '{}');
    expect((await checked('new', { lookAgainAfterMs: [1, 1] })).found).toHaveLength(1);
  });
});
